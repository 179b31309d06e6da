package snapshot

import "testing"

func TestANoTypeNamesTheNearest(t *testing.T) {
	s := &Snapshot{Objects: []*Object{{Group: "argoproj.io", Kind: "Rollout", Namespace: "shop", Name: "web"}}}
	for word, want := range map[string]string{
		"deplyo":       `there is no resource type "deplyo" here: did you mean deploy?`,
		"statefulst":   `there is no resource type "statefulst" here: did you mean statefulset?`,
		"rolout":       `there is no resource type "rolout" here: did you mean rollout?`,
		"certificates": `there is no resource type "certificates" here`,
	} {
		if _, err := s.Select(Query{Targets: []Target{{Type: word, Name: "web"}}}, nil); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", word, err, want)
		}
	}
}
