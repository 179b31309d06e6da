package probe

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Validate returns what the API server would say against a probe that stands at that path, in its words and order
// (pkg/apis/core/validation/validation.go validateProbe, validateLivenessProbe, validateReadinessProbe and
// validateStartupProbe, v1.37).
func Validate(kind Kind, p *corev1.Probe, at *field.Path) field.ErrorList {
	if p == nil {
		return nil
	}
	all := validateHandler(&p.ProbeHandler, at)
	for _, n := range []struct {
		name  string
		value int32
	}{
		{"initialDelaySeconds", p.InitialDelaySeconds},
		{"timeoutSeconds", p.TimeoutSeconds},
		{"periodSeconds", p.PeriodSeconds},
		{"successThreshold", p.SuccessThreshold},
		{"failureThreshold", p.FailureThreshold},
	} {
		if n.value < 0 {
			all = append(all, field.Invalid(at.Child(n.name), n.value, "must be greater than or equal to 0"))
		}
	}
	grace := p.TerminationGracePeriodSeconds
	if grace != nil && *grace <= 0 {
		all = append(all, field.Invalid(at.Child("terminationGracePeriodSeconds"), *grace, "must be greater than 0"))
	}
	switch {
	case kind == Readiness && grace != nil:
		all = append(all, field.Invalid(at.Child("terminationGracePeriodSeconds"), *grace, "must not be set for readinessProbes"))
	case kind != Readiness && p.SuccessThreshold != 1 && p.SuccessThreshold != 0: // 0 becomes the default first
		all = append(all, field.Invalid(at.Child("successThreshold"), p.SuccessThreshold, "must be 1"))
	}
	return all
}

// validationError is Validate for a probe that stands nowhere yet.
func validationError(kind Kind, p *corev1.Probe) error {
	all := Validate(kind, p, field.NewPath(string(kind)+"Probe"))
	errs := make([]error, 0, len(all))
	for _, err := range all {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func validateHandler(h *corev1.ProbeHandler, at *field.Path) field.ErrorList {
	var all field.ErrorList
	count := 0
	check := func(name string, given bool, validate func(*field.Path) field.ErrorList) {
		if !given {
			return
		}
		if count++; count > 1 {
			all = append(all, field.Forbidden(at.Child(name), "may not specify more than 1 handler type"))
			return
		}
		all = append(all, validate(at.Child(name))...)
	}
	check("exec", h.Exec != nil, func(at *field.Path) field.ErrorList {
		if len(h.Exec.Command) == 0 {
			return field.ErrorList{field.Required(at.Child("command"), "")}
		}
		return nil
	})
	check("httpGet", h.HTTPGet != nil, func(at *field.Path) field.ErrorList { return validateHTTP(h.HTTPGet, at) })
	check("tcpSocket", h.TCPSocket != nil, func(at *field.Path) field.ErrorList {
		return validatePort(h.TCPSocket.Port, at.Child("port"))
	})
	check("grpc", h.GRPC != nil, func(at *field.Path) field.ErrorList { return validateGRPC(h.GRPC, at) })
	if count == 0 {
		all = append(all, field.Required(at, "must specify a handler type"))
	}
	return all
}

func validateHTTP(get *corev1.HTTPGetAction, at *field.Path) field.ErrorList {
	all := validatePort(get.Port, at.Child("port"))
	switch get.Scheme {
	case "", corev1.URISchemeHTTP, corev1.URISchemeHTTPS:
	default:
		all = append(all, field.NotSupported(at.Child("scheme"), get.Scheme, []corev1.URIScheme{corev1.URISchemeHTTP, corev1.URISchemeHTTPS}))
	}
	for _, header := range get.HTTPHeaders {
		for _, problem := range validation.IsHTTPHeaderName(header.Name) {
			all = append(all, field.Invalid(at.Child("httpHeaders"), header.Name, problem))
		}
	}
	switch protocol := string(valueOf(get.Protocol)); {
	case protocol == "" || protocol == "HTTP1":
	case protocol != "HTTP2":
		all = append(all, field.NotSupported(at.Child("protocol"), protocol, []string{"HTTP1", "HTTP2"}))
	case get.Scheme == corev1.URISchemeHTTPS:
		all = append(all, field.Invalid(at.Child("protocol"), protocol, "is only supported with HTTP (H2C)"))
	case get.Host != "":
		all = append(all, field.Invalid(at.Child("host"), get.Host, "must be empty when `protocol` is \"HTTP2\""))
	}
	return all
}

func validateGRPC(g *corev1.GRPCAction, at *field.Path) field.ErrorList {
	all := validatePort(intstr.FromInt32(g.Port), at.Child("port"))
	switch mode := string(valueOf(g.Mode)); mode {
	case "", "Plaintext", "TLS":
	default:
		all = append(all, field.NotSupported(at.Child("mode"), mode, []string{"Plaintext", "TLS"}))
	}
	return all
}

func validatePort(port intstr.IntOrString, at *field.Path) field.ErrorList {
	var all field.ErrorList
	if port.Type == intstr.Int {
		for _, problem := range validation.IsValidPortNum(int(port.IntVal)) {
			all = append(all, field.Invalid(at, port.IntVal, problem))
		}
		return all
	}
	for _, problem := range validation.IsValidPortName(port.StrVal) {
		all = append(all, field.Invalid(at, port.StrVal, problem))
	}
	return all
}
