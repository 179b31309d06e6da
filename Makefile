# The targets a developer needs; everything works with nothing but Go (and make).
.PHONY: build test unit control-plane lint fmt tidy size clean
.DEFAULT_GOAL := build

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null)
# The generated code of the API types is a third of the binary; without inlining it is two megabytes smaller.
GCFLAGS := k8s.io/api/...=-l
LDFLAGS := -s -w -X github.com/kubectl-probes/kubectl-probes/internal/cli.buildVersion=$(VERSION)
MODULES := . test hack/control-plane hack/size hack/tools

build: ## the binary, as it is released
	CGO_ENABLED=0 go build -trimpath -gcflags '$(GCFLAGS)' -ldflags '$(LDFLAGS)' -o bin/kubectl-probes ./cmd/kubectl-probes

test: unit control-plane ## all tests, the ones against a real API server included

unit: ## what needs no API server
	go vet ./...
	go test ./...

control-plane: build ## builds etcd and kube-apiserver once a machine (about six minutes on two cores), then tests against them
	go -C hack/control-plane vet .
	go -C hack/control-plane test .
	assets="$$(go -C hack/control-plane run . assets)" && \
	mutable="$$(go -C hack/control-plane run . assets --mutable-probes)" && \
	KUBEBUILDER_ASSETS="$$assets" MUTABLE_PROBES_ASSETS="$$mutable" go -C test test -count=1 ./...

lint: ## builds golangci-lint once (a few minutes), then lints all modules
	go build -C hack/tools -o ../../bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	bin/golangci-lint run ./...
	cd test && $(CURDIR)/bin/golangci-lint run --config $(CURDIR)/.golangci.yml ./...
	for m in control-plane size; do \
		(cd hack/$$m && $(CURDIR)/bin/golangci-lint run --config $(CURDIR)/.golangci.yml --disable forbidigo,depguard ./...) || exit 1; \
	done

fmt:
	gofmt -w $$(git ls-files '*.go')

tidy:
	for m in $(MODULES); do go -C $$m mod tidy || exit 1; done

size: build ## size and start-up of the binary, beside a bare cobra + cli-runtime program
	go -C hack/size run . $(CURDIR)/bin/kubectl-probes

clean:
	rm -rf bin dist
