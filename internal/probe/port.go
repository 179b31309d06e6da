package probe

import (
	"strconv"

	"k8s.io/apimachinery/pkg/util/intstr"
)

// ResolvePort returns the port number a probe of a container with these ports would connect to; false when the check
// could only error: a name that none of the container's own ports has, or a number out of range
// (pkg/probe/util.go ResolveContainerPort, v1.37).
func ResolvePort(port intstr.IntOrString, ports []Port) (int32, bool) {
	number := port.IntVal
	if port.Type == intstr.String {
		number = portByName(port.StrVal, ports)
	}
	return number, number > 0 && number < 65536
}

func portByName(name string, ports []Port) int32 {
	for _, p := range ports {
		if p.Name == name {
			return p.ContainerPort
		}
	}
	return 0
}

// samePort compares what the two would connect to; ports that resolve to nothing are the same if they are written alike.
func samePort(a, b intstr.IntOrString, aPorts, bPorts []Port) bool {
	aNumber, aFound := ResolvePort(a, aPorts)
	bNumber, bFound := ResolvePort(b, bPorts)
	if aFound && bFound {
		return aNumber == bNumber
	}
	return aFound == bFound && a.Type == b.Type && a.String() == b.String()
}

// portKey is the same for ports that samePort holds for the same.
func portKey(port intstr.IntOrString, ports []Port) string {
	if number, found := ResolvePort(port, ports); found {
		return strconv.Itoa(int(number))
	}
	return "no " + strconv.Itoa(int(port.Type)) + " " + port.String()
}

// portText tells a port and where it leads. Ports that samePort tells apart never have the same text: a number is bare,
// a name is followed by its number in brackets.
func portText(port intstr.IntOrString, ports []Port) string {
	if port.Type == intstr.Int {
		return port.String()
	}
	number, found := ResolvePort(port, ports)
	if !found {
		return port.StrVal + " (no such port)"
	}
	return port.StrVal + " (" + strconv.Itoa(int(number)) + ")"
}
