package snapshot

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
)

// shop has deploy/web (rs/web-1, rs/web-2 and four Pods), sts/db under a custom owner, and a bare Pod.
func shop() *Snapshot {
	web := &Object{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "web", UID: "web", Template: &Template{Labels: map[string]string{"app": "web", "track": "new"}}}
	rs1 := &Object{Group: "apps", Kind: "ReplicaSet", Namespace: "shop", Name: "web-1", UID: "rs1", Owner: refTo(web)}
	rs2 := &Object{Group: "apps", Kind: "ReplicaSet", Namespace: "shop", Name: "web-2", UID: "rs2", Owner: refTo(web)}
	db := &Object{Group: "apps", Kind: "StatefulSet", Namespace: "shop", Name: "db", UID: "db", Owner: &OwnerRef{Group: "pg.io", Kind: "Cluster", Name: "main", UID: "main"}}
	idle := &Object{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "idle", UID: "idle", Template: &Template{Labels: map[string]string{"app": "idle"}}}
	pod := func(name string, owner *Object, track string) *Pod {
		p := &Pod{Namespace: "shop", Name: name, UID: types.UID(name), Labels: map[string]string{"app": "web", "track": track}}
		if owner != nil {
			p.Owner = refTo(owner)
		}
		return p
	}
	return &Snapshot{
		Objects:  []*Object{web, rs1, rs2, db, idle},
		Pods:     []*Pod{pod("web-1-a", rs1, "old"), pod("web-2-a", rs2, "new"), pod("web-2-b", rs2, "new"), pod("db-0", db, "db"), pod("bare", nil, "none")},
		Services: []*Service{{Namespace: "shop", Name: "web", Selector: map[string]string{"track": "old"}}},
		Gaps:     []Gap{{What: "events", Namespace: "shop"}, {What: "events", Namespace: "bank"}, {What: "nodes"}},
	}
}

// names lists Pods, and objects with ! for narrowed ones.
func names(s *Snapshot) string {
	var all []string
	for _, p := range s.Pods {
		all = append(all, p.Name)
	}
	for _, o := range s.Objects {
		name := o.Name
		if o.Narrowed {
			name += "!"
		}
		all = append(all, "["+name+"]")
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func TestSelect(t *testing.T) {
	tests := []struct {
		name, targets, labels string
		want                  string
	}{
		{"everything", "", "", "[db] [idle] [web-1] [web-2] [web] bare db-0 web-1-a web-2-a web-2-b"},
		{"a workload", "deploy/web", "", "[web-1] [web-2] [web] web-1-a web-2-a web-2-b"},
		{"a workload without Pods", "deploy/idle", "", "[idle]"},
		{"a type", "deploy", "", "[idle] [web-1] [web-2] [web] web-1-a web-2-a web-2-b"},
		{"a ReplicaSet narrows its Deployment", "rs/web-2", "", "[web!] [web-1] [web-2] web-2-a web-2-b"},
		{"all ReplicaSets do not", "rs", "", "[web-1] [web-2] [web] web-1-a web-2-a web-2-b"},
		{"a Pod narrows", "pod/web-1-a", "", "[web!] [web-1] [web-2] web-1-a"},
		{"a Pod and its workload do not", "pod/web-1-a deploy/web", "", "[web-1] [web-2] [web] web-1-a web-2-a web-2-b"},
		{"a root owner that was not read", "cluster/main", "", "[db] db-0"},
		{"a root owner with its group", "clusters.pg.io/main", "", "[db] db-0"},
		{"a Service means the workloads behind it, whole", "svc/web", "", "[web-1] [web-2] [web] web-1-a web-2-a web-2-b"},
		{"a bare Pod", "pod/bare", "", "bare"},
		{"Pods", "pods", "", "[db] [web-1] [web-2] [web] bare db-0 web-1-a web-2-a web-2-b"},
		{"labels of some of the Pods narrow", "", "track=old", "[web!] [web-1!] [web-2!] web-1-a"},
		{"labels of the template do not", "", "track=new", "[web-1!] [web-2!] [web] web-2-a web-2-b"},
		{"labels of a template without Pods", "", "app=idle", "[idle]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := shop().Select(query(t, test.targets, test.labels), nil)
			if err != nil {
				t.Fatal(err)
			}
			if names(got) != test.want {
				t.Errorf("got  %s\nwant %s", names(got), test.want)
			}
		})
	}
}

func query(t *testing.T, targets, selector string) Query {
	t.Helper()
	q := Query{}
	for _, arg := range strings.Fields(targets) {
		kind, name, slash := strings.Cut(arg, "/")
		if slash {
			q.Targets = append(q.Targets, Target{Type: kind, Name: name})
		} else {
			q.Targets = append(q.Targets, Target{Word: arg})
		}
	}
	parsed, err := labels.Parse(selector)
	if err != nil {
		t.Fatal(err)
	}
	q.Selector = parsed
	return q
}

func TestSelectNamesAllThatIsMissing(t *testing.T) {
	_, err := shop().Select(query(t, "deploy/a sts/b deploy/web", ""), nil)
	if !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), `deployments.apps "a"`) || !strings.Contains(err.Error(), `statefulsets.apps "b"`) {
		t.Errorf("got %v", err)
	}
}

func TestSelectOfANamespace(t *testing.T) {
	got, err := shop().Select(Query{Namespace: "bank"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if names(got) != "" || len(got.Gaps) != 2 {
		t.Errorf("%s, gaps %+v", names(got), got.Gaps)
	}
}

func TestSelectLeavesItsInputAlone(t *testing.T) {
	s := shop()
	if _, err := s.Select(query(t, "pod/web-1-a", ""), nil); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(names(s), "!") || s.Pods[0].Asked {
		t.Errorf("changed: %s", names(s))
	}
}

func TestAbsentOwnersAreGaps(t *testing.T) {
	s := shop()
	s.Objects = s.Objects[3:] // without the Deployment and its ReplicaSets
	got, err := s.Select(Query{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := Gap{What: "replicasets.apps", Namespace: "shop", Reason: Absent, Message: "web-1, web-2: named as an owner of Pods and not found"}
	if !slices.Contains(got.Gaps, want) {
		t.Errorf("gaps: %+v", got.Gaps)
	}

	s.Gaps = append(s.Gaps, Gap{What: "replicasets.apps", Reason: Forbidden})
	if got, _ = s.Select(Query{}, nil); slices.Contains(got.Gaps, want) {
		t.Error("what may not be read is said to be absent")
	}
}
