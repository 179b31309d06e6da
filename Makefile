# The targets a developer needs; everything works with nothing but Go (and make).
.PHONY: build test unit control-plane fuzz vuln lint fmt tidy check-tidy size bench pictures check-pictures clean
.PHONY: release release-snapshot test-release help
.DEFAULT_GOAL := build

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null)
# The generated code of the API types is a third of the binary; without inlining it is two megabytes smaller.
GCFLAGS := k8s.io/api/...=-l
BUILD_FLAGS := -trimpath
LDFLAGS := -s -w -X github.com/kubectl-probes/kubectl-probes/internal/cli.buildVersion=# the version follows
RELEASE_TOOLS := hack/release/tools
MODULES := . test hack/control-plane hack/size hack/bench hack/pictures hack/tools hack/release \
	$(addprefix $(RELEASE_TOOLS)/,actionlint cyclonedx-gomod goreleaser krew)

build: ## the binary, as it is released
	CGO_ENABLED=0 go build $(BUILD_FLAGS) -gcflags '$(GCFLAGS)' -ldflags '$(LDFLAGS)$(VERSION)' -o bin/kubectl-probes ./cmd/kubectl-probes

test: unit control-plane ## all tests, the ones against a real API server included

# The race detector is C: where there is no compiler for it, the tests run without.
CC_FOUND := $(shell command -v "$$(go env CC)" 2>/dev/null)
RACE := $(if $(CC_FOUND),-race)

unit: ## what needs no API server, with the race detector where there is a C compiler
	go vet ./...
	$(if $(RACE),,@echo "no C compiler ($$(go env CC)): the tests run without the race detector" >&2)
	$(if $(RACE),CGO_ENABLED=1 )go test $(RACE:%=% -timeout 30m) ./...
	go -C hack/bench vet ./...
	go -C hack/bench test ./...

control-plane: build ## builds etcd and kube-apiserver once a machine (about six minutes on two cores), then tests against them
	go -C hack/control-plane vet .
	go -C hack/control-plane test .
	assets="$$(go -C hack/control-plane run . assets)" && \
	mutable="$$(go -C hack/control-plane run . assets --mutable-probes)" && \
	KUBEBUILDER_ASSETS="$$assets" MUTABLE_PROBES_ASSETS="$$mutable" go -C test test -count=1 ./...

FUZZTIME ?= 1m

fuzz: ## every fuzz test, one after the other, for FUZZTIME each
	go test -list '^Fuzz' ./... | awk '/^Fuzz/ {names[++n] = $$1} /^ok/ {while (n) print $$2, names[n--]}' | \
	while read -r package name; do \
		go test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) "$$package" </dev/null || exit 1; \
	done

vuln: ## known vulnerabilities in what the program calls; asks the database of Go, https://vuln.go.dev
	go build -C hack/tools -o ../../bin/govulncheck golang.org/x/vuln/cmd/govulncheck
	bin/govulncheck ./...

lint: bin/actionlint ## builds golangci-lint once (a few minutes), then lints all modules and the workflows
	bin/actionlint .github/workflows/*.yaml
	go build -C hack/tools -o ../../bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	bin/golangci-lint run ./...
	cd test && $(CURDIR)/bin/golangci-lint run --config $(CURDIR)/.golangci.yml ./...
	for m in control-plane size bench release; do \
		(cd hack/$$m && $(CURDIR)/bin/golangci-lint run --config $(CURDIR)/.golangci.yml --disable forbidigo,depguard ./...) || exit 1; \
	done

fmt: ## formats all Go files
	gofmt -w $$(git ls-files '*.go')

tidy: ## go.mod and go.sum of every module
	for m in $(MODULES); do go -C $$m mod tidy || exit 1; done

check-tidy: ## writes nothing
	for m in $(MODULES); do \
		go -C $$m mod tidy -diff || { echo "go.mod of $$m is not tidy: run 'make tidy'" >&2; exit 1; }; \
	done

PODS ?= 100 1000 10000
WRITE ?=
PROFILE ?=

bench: build ## beside a floor and kubectl, on a real API server: PODS="100 1000", WRITE=1 for docs/performance.md, PROFILE=folder
	assets="$$(go -C hack/control-plane run . assets)" && \
	go -C hack/bench run . --pods "$(PODS)" --gcflags '$(GCFLAGS)' \
		$(if $(WRITE),--write $(CURDIR)/docs/performance.md) $(if $(PROFILE),--profile $(abspath $(PROFILE))) \
		$(CURDIR)/bin/kubectl-probes "$$assets"

size: build ## size and start-up of the binary, beside a bare cobra + cli-runtime program
	go -C hack/size run . $(CURDIR)/bin/kubectl-probes

# What builds and checks a release is built from Go modules too, once: goreleaser takes some minutes.
bin/actionlint bin/cyclonedx-gomod bin/goreleaser bin/krew: bin/%: $(RELEASE_TOOLS)/%/go.mod $(RELEASE_TOOLS)/%/go.sum
	go build -C $(<D) -o $(CURDIR)/bin/ tool
	touch $@

release-snapshot release test-release: export BUILD_FLAGS := $(BUILD_FLAGS)
release-snapshot release test-release: export GCFLAGS := $(GCFLAGS)
release-snapshot release test-release: export LDFLAGS := $(LDFLAGS)
release-snapshot release test-release: export PATH := $(CURDIR)/bin:$(PATH)

release-snapshot: bin/goreleaser bin/cyclonedx-gomod ## in dist: what a release of this tree would be, for all platforms
	bin/goreleaser check --quiet
	bin/goreleaser release --snapshot --clean

test-release: release-snapshot bin/krew ## checks dist, installs it with krew, and builds a release twice to compare them
	go -C hack/release vet ./...
	assets="$$(go -C hack/control-plane run . assets)" && \
	KUBEBUILDER_ASSETS="$$assets" go -C hack/release test -count=1 -timeout 30m ./...

release: bin/goreleaser bin/cyclonedx-gomod ## publishes the tag that is checked out, as a draft (a workflow does this)
	mkdir -p bin && go -C hack/release run . notes "$(VERSION)" > bin/release-notes.md
	bin/goreleaser release --clean --release-notes bin/release-notes.md

bin/freeze: hack/pictures/go.mod hack/pictures/go.sum
	go build -C $(<D) -o $(CURDIR)/bin/ tool
	touch $@

pictures: build bin/freeze ## the README's, from what the program prints
	PATH="$(CURDIR)/bin:$$PATH" hack/pictures/pictures.sh docs/pictures

check-pictures: build bin/freeze ## writes nothing
	PATH="$(CURDIR)/bin:$$PATH" hack/pictures/pictures.sh --check docs/pictures

clean: ## what the other targets made here
	rm -rf bin dist

help: ## every target
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1: \2/p' $(MAKEFILE_LIST)
