@rem kubectl runs this for `kubectl probes ...<TAB>`, with the words that were typed.
@kubectl-probes __complete %*
