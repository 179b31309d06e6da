package cli

import (
	"fmt"
	"strings"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/printers"
)

// machinePrinter is the printer of a format for machines. go-template is left out: it would add a third to
// the binary (docs/adr/0005-report-contract.md).
func machinePrinter(format string) (printers.ResourcePrinter, error) {
	if p, err := genericclioptions.NewJSONYamlPrintFlags().ToPrinter(format); !genericclioptions.IsNoCompatiblePrinterError(err) {
		return p, err
	}
	if p, err := genericclioptions.NewJSONPathPrintFlags("", true).ToPrinter(format); !genericclioptions.IsNoCompatiblePrinterError(err) {
		return p, err
	}
	allowed := []string{"wide", "json", "yaml", "kyaml", "name", "jsonpath", "jsonpath-as-json", "jsonpath-file"}
	return nil, fmt.Errorf("unable to match a printer suitable for the output format %q, allowed formats are: %s", format, strings.Join(allowed, ","))
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
