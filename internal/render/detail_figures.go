package render

import (
	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// What the two figures of a row are: of a startup probe, how long a start may take; of the others, how long a failure can go on.
const (
	surely  = "SURELY"
	atMost  = "AT MOST"
	atOnce  = "AT ONCE"
	hanging = "HANG"
)

// otherFigures is a line of headers between the startup probes and the others.
func otherFigures(columns []configColumn) []cell {
	line := make([]cell, len(columns))
	for i, col := range columns {
		switch col.header {
		case surely:
			line[i].text = atOnce
		case atMost:
			line[i].text = hanging
		}
	}
	return line
}

// budget is how long a failure can go on; of a startup probe, how long a start may take.
func budget(p *report.Probe, atOnce bool) cell {
	switch {
	case p.WhyNot != "":
		return cell{text: "never", tint: yellow}
	case !p.HasFigures():
		return unknown()
	case p.Allowance != nil && atOnce:
		return cell{text: probe.FormatSeconds(p.Allowance.GuaranteedSeconds)}
	case p.Allowance != nil:
		return cell{text: probe.FormatSeconds(p.Allowance.LongestSeconds)}
	case atOnce:
		return cell{text: probe.FormatSeconds(p.Detection.AtOnceSeconds)}
	default:
		return cell{text: probe.FormatSeconds(p.Detection.HangSeconds)}
	}
}
