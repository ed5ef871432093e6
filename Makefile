# The tasks of this project. `make help` lists them.

CARGO ?= cargo
TOPIC ?= Do heat pumps work in old houses?
DOCS ?= examples/heat-pumps
TOPICS ?= examples/topics.txt
JOBS ?= 8
FUZZ ?= html
FUZZ_SECONDS ?= 600

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

.PHONY: build
build: ## Build the program
	$(CARGO) build --release --locked

.PHONY: report
report: build ## Research TOPIC over the documents in DOCS
	target/release/research run "$(TOPIC)" --docs $(DOCS)

.PHONY: batch
batch: build ## Research each line of TOPICS over DOCS, JOBS at a time
	target/release/research batch $(TOPICS) --docs $(DOCS) -j $(JOBS) --keep-going

.PHONY: check
check: format lint test doc ## Run everything that CI runs

.PHONY: format
format: ## Check the formatting
	$(CARGO) fmt --check

.PHONY: lint
lint: ## Check with clippy, with warnings as errors
	$(CARGO) clippy --locked --all-targets -- -D warnings
	$(CARGO) clippy --locked --all-targets --features browser -- -D warnings

.PHONY: test
test: ## Run all tests
	$(CARGO) test --locked

.PHONY: test-browser
test-browser: ## Run the tests that need Chromium
	$(CARGO) test --locked --features browser --test it browser

.PHONY: test-clients
test-clients: ## Test the server by its clients (needs Node and Chromium): the page, one that is generated, and MCP's
	$(CARGO) build --locked
	cd tests/clients && npm ci && npm test

.PHONY: test-api
test-api: ## Test the API by its description with schemathesis (needs Node and Python, which fetches it)
	$(CARGO) build --locked
	python3 -m venv target/schemathesis
	target/schemathesis/bin/pip install --quiet schemathesis==4.32.5
	cd tests/clients && npm ci && npm run fuzz

.PHONY: test-pdf
test-pdf: ## Run the tests that need Typst
	$(CARGO) clippy --locked --all-targets --features pdf -- -D warnings
	$(CARGO) test --locked --features pdf --test it paper

.PHONY: test-otel
test-otel: ## Run the tests of traces to a collector of OpenTelemetry
	$(CARGO) clippy --locked --all-targets --features otel -- -D warnings
	$(CARGO) test --locked --features otel --test it traces

.PHONY: test-nats
test-nats: ## Run the tests that need a NATS server, which they fetch
	$(CARGO) clippy --locked --all-targets --features nats -- -D warnings
	$(CARGO) test --locked --features nats --test it queue
	$(CARGO) test --locked --features nats --lib queue

.PHONY: test-s3
test-s3: ## Run the tests of sessions in an object store (needs Python, which fetches a server of S3)
	python3 -m venv target/ministack
	target/ministack/bin/pip install --quiet 'ministack==1.5.33'
	$(CARGO) clippy --locked --all-targets --features s3,nats -- -D warnings
	$(CARGO) test --locked --features s3,nats --test it store
	$(CARGO) test --locked --features s3,nats --test it machines
	$(CARGO) test --locked --features s3,nats --test it contract
	$(CARGO) test --locked --features s3,nats --lib store

.PHONY: fuzz
fuzz: ## Fuzz the parser FUZZ for FUZZ_SECONDS, from its seeds and the examples (needs nightly Rust and cargo-fuzz)
	mkdir -p fuzz/corpus/$(FUZZ)
	$(CARGO) +nightly fuzz run $(FUZZ) fuzz/corpus/$(FUZZ) fuzz/seeds/$(FUZZ) examples/heat-pumps -- \
		-max_total_time=$(FUZZ_SECONDS) -max_len=65536 -timeout=60 -rss_limit_mb=4096

.PHONY: test-model
test-model: build ## Research TOPIC with the model that OPENAI_BASE_URL or ANTHROPIC_BASE_URL names, and list its calls
	rm -rf target/test-model
	target/release/research doctor
	RESEARCH_MODELS__REPLY_TIMEOUT_SECONDS=3600 \
	target/release/research --output-dir target/test-model run "$(TOPIC)" --docs $(DOCS) --depth quick --no-clarify \
		--timeout 0 --session model --verbose
	target/release/research --output-dir target/test-model verify model
	target/release/research --output-dir target/test-model calls model
	target/release/research --output-dir target/test-model run --replay model --session again --quiet > target/test-model/again.md
	diff target/test-model/model/final_report.md target/test-model/again/final_report.md

.PHONY: pictures
pictures: build ## Make the pictures in the README (needs Node and Chromium)
	cd tests/clients && npm ci && RESEARCH=target/release/research npm run pictures

.PHONY: doc
doc: ## Build the documentation, with warnings as errors
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --no-deps

.PHONY: golden
golden: ## Update the golden sessions and the API's description; review the difference before you commit it
	UPDATE_GOLDEN=1 $(CARGO) test --locked --test it -- golden openapi

.PHONY: readme
readme: ## Update the command output in the README and docs; review the difference before you commit it
	UPDATE_README=1 $(CARGO) test --locked --test it readme

.PHONY: eval
eval: ## Measure the support check on the labelled data in RESEARCH_BENCH_DATA, into docs/accuracy.md
	$(CARGO) bench --locked --bench claims

.PHONY: bench
bench: ## Run the benchmarks against their limits
	$(CARGO) bench --locked
