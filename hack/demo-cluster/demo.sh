#!/bin/sh
# What the Makefile's targets do. Everything goes to the demo's own context, by name: never to the current one.
set -eu
cd "$(dirname "$0")"

cluster=probes-demo
first_with_gate=38 # the minor version that brings MutableContainerProbes

fail() {
  echo "error: $*" >&2
  exit 1
}

need() {
  command -v "$1" >/dev/null 2>&1 || fail "$1 is not on the PATH: $2"
}

on() {
  kubectl --context "$context" "$@"
}

# minor_version reads the 38 of v1.38.0, alone or as the tag of an image; nothing where the text has no version.
minor_version() {
  printf '%s\n' "$1" | sed -n 's/^\(.*:\)\{0,1\}v\{0,1\}1\.\([0-9][0-9]*\)\([^0-9].*\)\{0,1\}$/\2/p'
}

# opens_gate says whether the API server is to be started with the gate, which one that does not know it refuses.
opens_gate() {
  minor=$(minor_version "$1")
  case "${MUTABLE_PROBES:-}" in
  "") [ -n "$minor" ] && [ "$minor" -ge "$first_with_gate" ] ;;
  true)
    [ -n "$1" ] || fail "MUTABLE_PROBES=true: say with K8S_VERSION which Kubernetes; below v1.$first_with_gate it would not start"
    [ "${minor:-$first_with_gate}" -ge "$first_with_gate" ] ||
      fail "MUTABLE_PROBES=true: $1 does not know that feature gate and would not start; take v1.$first_with_gate or later"
    ;;
  false) return 1 ;;
  *) fail "MUTABLE_PROBES=$MUTABLE_PROBES: true, false, or nothing to go by the version" ;;
  esac
}

# kind makes the new context the current one; whoever typed kubectl elsewhere is to go on where he was.
create_kind() {
  before=$(kubectl config current-context 2>/dev/null || true)
  if kind get clusters 2>/dev/null | grep -qx "$cluster"; then
    echo "The kind cluster $cluster is there, and stays as it was made (\`make down\` removes it)."
    kind export kubeconfig --name "$cluster"
  else
    start_kind "${K8S_IMAGE:-${K8S_VERSION:+kindest/node:v${K8S_VERSION#v}}}"
  fi
  if [ -n "$before" ]; then kubectl config set current-context "$before"; fi
}

start_kind() {
  config=kind.yaml
  if opens_gate "$1"; then config=kind-mutable-probes.yaml; fi
  kind create cluster --name "$cluster" --config "$config" --wait 2m ${1:+--image "$1"}
}

create_minikube() {
  gates=
  if opens_gate "${K8S_VERSION:-}"; then gates=MutableContainerProbes=true; fi
  minikube start --profile "$cluster" --keep-context --container-runtime=containerd \
    ${K8S_VERSION:+--kubernetes-version="$K8S_VERSION"} ${gates:+--feature-gates="$gates"}
}

apply() {
  on apply --server-side --force-conflicts --kustomize "$1"
}

need_context() {
  kubectl config get-contexts --output=name | grep -qx "$context" ||
    fail "there is no context $context in the kubeconfig: \`make up TOOL=$tool\` makes it"
}

# cache never becomes ready, which is what it is there for.
await_shop() {
  workloads=$(on get deployments,statefulsets --namespace shop --selector 'app,app!=cache' --output name)
  for workload in $workloads; do
    on rollout status --namespace shop "$workload" --timeout="${TIMEOUT:-5m}"
  done
}

up() {
  "create_$tool"
  need_context
  apply manifests
  await_shop
  echo "The shop is up, all but cache. Look at it: kubectl probes --context $context -n shop"
}

chaos() {
  need_context
  apply chaos
  echo "Give it two minutes, then look: kubectl probes --context $context -n shop --sort-by=severity"
}

# apply makes what was deleted; replace takes away what was added to an object, which apply leaves there.
heal() {
  need_context
  apply manifests
  on replace --kustomize manifests
  replace_pods
  await_shop
  echo "The shop is as it was. The Events of the last hour still tell what happened."
}

# replace_pods is for those that no rollout replaces: agent's, and those whose own probes were changed.
replace_pods() {
  on delete pods --namespace shop --selector app=agent --wait=false
  changed='{range .items[?(@.metadata.annotations.kubectl-probes\.github\.io/original)]}{.metadata.name}{"\n"}{end}'
  pods=$(on get pods --namespace shop --selector 'app!=agent' --output "jsonpath=$changed")
  for pod in $pods; do
    on delete pod --namespace shop "$pod" --wait=false --ignore-not-found
  done
}

down() {
  case "$tool" in
  kind) kind delete cluster --name "$cluster" ;;
  minikube) minikube delete --profile "$cluster" ;;
  esac
}

tool=${TOOL:-kind}
case "$tool" in
kind) context=kind-$cluster install=https://kind.sigs.k8s.io/docs/user/quick-start ;;
minikube) context=$cluster install=https://minikube.sigs.k8s.io/docs/start ;;
*) fail "TOOL=$tool: kind or minikube" ;;
esac

need_tool() {
  need "$tool" "install it ($install), or take the other: TOOL=kind or TOOL=minikube"
}

need_kubectl() {
  need kubectl "install it (https://kubernetes.io/docs/tasks/tools)"
}

case "${1:-}" in
up)
  need_tool
  need_kubectl
  up
  ;;
chaos | heal)
  need_kubectl
  "$1"
  ;;
down)
  need_tool
  down
  ;;
*) fail "${1:-nothing}: up, chaos, heal or down" ;;
esac
