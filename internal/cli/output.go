package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/kubectl-probes/kubectl-probes/internal/render"
)

// machinePrinter is the printer of a format for machines; others are formats that the verb takes besides. go-template
// is left out: it would add a third to the binary (docs/adr/0005-report-contract.md).
func machinePrinter(format string, others ...string) (printers.ResourcePrinter, error) {
	if p, err := genericclioptions.NewJSONYamlPrintFlags().ToPrinter(format); !genericclioptions.IsNoCompatiblePrinterError(err) {
		return p, err
	}
	if p, err := genericclioptions.NewJSONPathPrintFlags("", true).ToPrinter(format); !genericclioptions.IsNoCompatiblePrinterError(err) {
		return inOnePiece(exactly(p)), err
	}
	allowed := slices.Concat(others, []string{"json", "yaml", "kyaml", "jsonpath", "jsonpath-as-json", "jsonpath-file"})
	return nil, fmt.Errorf("unable to match a printer suitable for the output format %q, allowed formats are: %s", format, strings.Join(allowed, ","))
}

// inOnePiece makes a printer write once, as those of JSON and YAML do: an interrupt leaves all or nothing, and a write
// that fails is not taken for a fault of the template.
func inOnePiece(p printers.ResourcePrinter) printers.ResourcePrinter {
	return printers.ResourcePrinterFunc(func(o runtime.Object, w io.Writer) error {
		var all bytes.Buffer
		if err := p.PrintObj(o, &all); err != nil {
			return err
		}
		_, err := all.WriteTo(w)
		return err
	})
}

// exactly makes a printer that looks into an object see integers as such, as kubectl's sees those of a cluster: of a typed
// object it makes floating-point numbers, which print a million as 1e+06 and compare with no integer of a filter.
func exactly(p printers.ResourcePrinter) printers.ResourcePrinter {
	return printers.ResourcePrinterFunc(func(o runtime.Object, w io.Writer) error {
		raw, err := json.Marshal(o)
		if err != nil {
			return err
		}
		content := map[string]any{}
		if err := utiljson.Unmarshal(raw, &content); err != nil {
			return err
		}
		return p.PrintObj(&unstructured.Unstructured{Object: content}, w)
	})
}

// machineReadable is an object whose JSON escapes what YAML does not take and a terminal should not get: DEL, C1
// controls and the like come from what applications wrote, and one of them must not cost the whole report.
type machineReadable struct{ runtime.Object }

// MarshalJSON is that of the object with every character that does not show itself as \uXXXX.
func (m machineReadable) MarshalJSON() ([]byte, error) {
	raw, err := json.Marshal(m.Object)
	if err != nil {
		return nil, err
	}
	// Control characters below DEL are escaped already. Above U+FFFF it takes pairs, which YAML does not read.
	return escapeJSON(raw, func(r rune) bool { return r >= 0x7f && r <= 0xffff && render.Hidden(r) }), nil
}

// useColor decides as kubectl does for auto: a terminal, no NO_COLOR, no dumb terminal.
func useColor(when string, streams Streams) (bool, error) {
	switch when {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		return streams.Width > 0 && streams.Getenv("NO_COLOR") == "" && streams.Getenv("TERM") != "dumb", nil
	default:
		return false, fmt.Errorf("--color must be auto, always or never, not %q", when)
	}
}
