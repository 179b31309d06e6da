package change

import (
	"testing"

	. "github.com/kubectl-probes/kubectl-probes/test/fixture"
)

// TestRefusals are told before anything is sent, to whichever Pod.
func TestRefusals(t *testing.T) {
	s := newScene(t, env.mutable)
	s.deployment(t, web(), 3, On(follows))
	s.Deployment(Meta{Name: "idle"}, web())
	s.alone(t, "mirror", On(quiet), Mirrors("abc"))
	s.Pod("done", Owner{Template: web()}, Succeeded)
	s.Pod("evicted", Owner{Template: web()}, Evicted)
	going := s.Pod("going", Owner{Template: web()}, Ready, On(quiet))
	s.Delete(going)
	s.ok(t)
	p := s.through(t, nil)
	in := " in namespace " + s.Name + ": "
	const well, off = "pod/web-5555555555-0", "--liveness-off"
	for name, c := range map[string]struct {
		args []string
		want string // all of stderr
	}{
		"a mirror":     {[]string{well, "pod/mirror", "-c", "app", off}, "error: pod/mirror" + in + "it is a static pod that the API server only mirrors: change its manifest on node node-quiet\n"},
		"terminating":  {[]string{well, "pod/going", "-c", "app", off}, "error: pod/going" + in + "it is terminating\n"},
		"finished":     {[]string{well, "pod/done", "-c", "app", off}, "error: pod/done" + in + "it has finished (Succeeded)\n"},
		"all of them":  {[]string{well, "pod/mirror", "pod/going", "pod/done", "pod/evicted", off}, "error: pod/done" + in + "it has finished (Succeeded)\nerror: pod/evicted" + in + "it has finished (Failed)\nerror: pod/going" + in + "it is terminating\nerror: pod/mirror" + in + "it is a static pod that the API server only mirrors: change its manifest on node node-quiet\n"},
		"a plain init": {[]string{well, "-c", "migrate", off}, "error: " + well + in + `container "migrate" is an init container without restartPolicy Always, which ends before probes would run` + "\n"},
		"an anchored glob": {
			[]string{well, "-c", "pp*", off},
			"error: " + well + in + `no container matches "pp*"; there are app, helper, mesh` + "\n",
		},
		"one of two names":     {[]string{well, "-c", "app", "-c", "nope", off}, "error: " + well + in + `no container is named "nope"; there are app, helper, mesh` + "\n"},
		"several candidates":   {[]string{"deploy/web", "--pods", "--readiness=period=5"}, "error: pod/web-5555555555-0, pod/web-5555555555-1, pod/web-5555555555-2" + in + "several containers could be meant: choose with -c app, -c mesh, or -c '*' for all of them\n"},
		"no such probe":        {[]string{well, "-c", "helper", "--liveness=period=5"}, "error: " + well + in + "container helper: it has no liveness probe; to add one give a handler too (http=, tcp=, grpc= or exec=)\n"},
		"no such Pod":          {[]string{well, "pod/nope", off}, "Error from server (NotFound): pods \"nope\" not found\n"},
		"no such workload":     {[]string{"deploy/nope", "--pods", off}, "Error from server (NotFound): deployments.apps \"nope\" not found\n"},
		"no such type":         {[]string{"gadget/x", "--pods", off}, "error: the server doesn't have a resource type \"gadget\"\n"},
		"a workload of none":   {[]string{"deploy/idle", "--pods", off}, "error: deploy/idle has no Pods; --pod-template changes its template\n"},
		"nothing selected":     {[]string{"-l", "app=nope", off}, "error: no Pods were found\n"},
		"neither nor":          {[]string{"deploy/web", off}, "error: deploy/web: say what is to be changed: --pods for its running Pods, now, lost when one is replaced; --pod-template for its template, which starts a rollout and works on every server\n"},
		"the template of a rs": {[]string{"rs/web-5555555555", "--pod-template", "-c", "app", off}, "error: rs/web-5555555555" + in + "it belongs to deploy/web: name that one, whose template is what counts\n"},
		"one bad of many":      {[]string{"deploy/web", "pod/mirror", "--pods", "-c", "app", off}, "error: pod/mirror" + in + "it is a static pod that the API server only mirrors: change its manifest on node node-quiet\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got := status(t, 1, s.set(t, c.args...))
			if got.Err != c.want || got.Out != "" {
				t.Errorf("got %q\nnot %q", got.Err, c.want)
			}
		})
	}
	p.sent(t, 0)
}

// TestSkipped are Pods that will be gone soon anyway: through a workload or a selector they are passed over.
func TestSkipped(t *testing.T) {
	s := newScene(t, env.mutable)
	s.deployment(t, web(), 1, On(follows))
	s.Pod("done", Owner{Template: web()}, Succeeded)
	going := s.Pod("going", Owner{Template: web()}, Ready, On(quiet))
	s.Delete(going)
	s.ok(t)
	for _, args := range [][]string{{"-l", "app=web"}, {"--all"}, {"pods", "--all"}, {"pods", "-l", "app in (web)"}} {
		got := s.must(t, append(args, "-c", "app", "--liveness-off")...)
		has(t, got.Err, "pod/done skipped: it has finished (Succeeded)\n", "pod/going skipped: it is terminating\n")
		if len(lines(got.Out)) != 1 {
			t.Errorf("%v: %s", args, got)
		}
	}
	s.Delete(s.pod(t, "web-5555555555-0"))
	s.ok(t)
	got := status(t, 1, s.set(t, "-l", "app=web", "-c", "app", "--liveness-off"))
	has(t, got.Err, "error: no running pod is left to change: all 3 are terminating or have finished, for instance pod/done")
	got = status(t, 1, s.set(t, "deploy/web", "--pods", "-c", "app", "--liveness-off"))
	has(t, got.Err, "error: no running pod is left to change: pod/web-5555555555-0: it is terminating")
}
