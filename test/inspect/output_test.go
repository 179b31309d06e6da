package inspect

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-probes/kubectl-probes/internal/cli"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/golden"
	"github.com/kubectl-probes/kubectl-probes/test/command"
)

// TestTables are those of the whole world, at an hour when nothing grows older.
func TestTables(t *testing.T) {
	line := cluster(t)
	line.Now = time.Date(2026, 1, 2, 4, 4, 5, 0, time.UTC)
	for name, args := range map[string][]string{
		"overview.txt": {"-A"},
		"names.txt":    {"-A", "-o", "name"},
	} {
		t.Run(name, func(t *testing.T) {
			golden.Check(t, name, line.Must(t, args...).Out)
		})
	}
}

// TestTablesAgree prints the same table, byte for byte, from a cluster and from a file.
func TestTablesAgree(t *testing.T) {
	doors := bothDoors(t)
	for _, args := range []string{
		"-A", "-A -o wide", "-n shop", "-n shop --no-headers", "-A --sort-by=detection", "-A --sort-by=name", "-n jobs -o wide",
		"-A -o name", "-A -c web", "-A -c *proxy -c e*", "-n shop -c istio-proxy,logs", "-n shop deploy/web deploy/api -o wide",
	} {
		t.Run(args, func(t *testing.T) {
			cluster, file := doors["cluster"].Must(t, words(args)...), doors["file"].Must(t, words(args)...)
			if diff := cmp.Diff(strings.Split(cluster.Out, "\n"), strings.Split(file.Out, "\n")); diff != "" {
				t.Errorf("stdout (-cluster +file):\n%s", diff)
			}
			if diff := cmp.Diff(strings.Split(cluster.Err, "\n"), strings.Split(file.Err, "\n")); diff != "" {
				t.Errorf("stderr (-cluster +file):\n%s", diff)
			}
		})
	}
}

func TestNoHeaders(t *testing.T) {
	with, without := cluster(t).Must(t, "-n", "shop"), cluster(t).Must(t, "-n", "shop", "--no-headers")
	header, rows, _ := strings.Cut(with.Out, "\n")
	if !strings.HasPrefix(header, "WORKLOAD") {
		t.Errorf("no header: %q", header)
	}
	if got, want := len(strings.Split(without.Out, "\n")), len(strings.Split(rows, "\n")); got != want || strings.Contains(without.Out, "WORKLOAD") {
		t.Errorf("%d lines without headers, not %d:\n%s", got, want, without.Out)
	}
}

// TestSortByDetection puts first what never acts, and then the slowest probe there is, an exec every 60s.
func TestSortByDetection(t *testing.T) {
	got := cluster(t).Must(t, "-A", "--sort-by=detection", "--no-headers")
	lines := strings.Split(got.Out, "\n")
	acts := slices.IndexFunc(lines, func(line string) bool { return !strings.Contains(line, ":!") })
	if first := strings.Fields(lines[acts]); acts == 0 || first[1] != "job/import" || strings.Contains(strings.Join(lines[acts:], "\n"), ":!") {
		t.Errorf("the order is another:\n%s", got.Out)
	}
}

func TestContainers(t *testing.T) {
	for args, want := range map[string]string{
		"-n shop -c istio-proxy":      "deploy/cart deploy/pay",
		"-n shop -c log*":             "deploy/api",
		"-n shop -c ogs -c w?b":       "", // globs are anchored, and each has to match
		"-n shop -c w?b,api":          "deploy/api deploy/web",
		"-n shop deploy/web -c [vw]*": "deploy/web",
	} {
		for door, line := range bothDoors(t) {
			got := line.Run(t, append(words(args), "-o=jsonpath={.workloads[*].displayName}")...)
			if got.Out != want || (got.Status == cli.ExitOK) != (want != "") {
				t.Errorf("%s from the %s: %s", args, door, got)
			}
		}
	}
}

// TestNothingFound is kubectl's line on stderr, status 0 and nothing on stdout.
func TestNothingFound(t *testing.T) {
	for args, want := range map[string]string{
		"-n kube-public":                             "No resources found in kube-public namespace.\n",
		"-n no-such-namespace":                       "No resources found in no-such-namespace namespace.\n",
		"-n shop -l app=nobody":                      "No resources found in shop namespace.\n",
		"-n shop ds":                                 "No resources found in shop namespace.\n",
		"-n shop ds -o name":                         "No resources found in shop namespace.\n",
		"-n shop svc/nothing":                        "No resources found in shop namespace.\n",
		"-A -l app=nobody":                           "No resources found\n",
		"-n shop prometheuses.monitoring.coreos.com": "No resources found in shop namespace.\n",
	} {
		for door, line := range bothDoors(t) {
			got := line.Run(t, words(args)...)
			if got.Status != cli.ExitOK || got.Out != "" || got.Err != want {
				t.Errorf("%s from the %s: %s", args, door, got)
			}
		}
	}
}

// TestMachineFormats hold the same Report.
func TestMachineFormats(t *testing.T) {
	line := cluster(t)
	line.Now = time.Now() // ages are counted from one instant in both
	inJSON, inYAML := line.Must(t, "-A", "-o", "json"), line.Must(t, "-A", "-o", "yaml")
	converted, err := yaml.YAMLToJSON([]byte(inYAML.Out))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(command.Facts(t, inJSON.Out), command.Facts(t, string(converted))); diff != "" {
		t.Errorf("-json +yaml:\n%s", diff)
	}
	path := cluster(t).Must(t, "-n", "shop", "deploy/web", `-o=jsonpath={.workloads[0].containers[0].probes.readiness.detection.hangSeconds}`)
	if path.Out != "16" {
		t.Errorf("jsonpath: %s", path)
	}
}
