# Reports as targets of GNU make: make -f examples/reports.mk
RESEARCH = research
DOCS = examples/heat-pumps

ifeq ($(wildcard $(DOCS)),)
$(error DOCS names no folder or file: $(DOCS))
endif

reports: reports/cost.html reports/radiators.md
reports/cost.html: TOPIC = What does a heat pump cost?
reports/radiators.md: TOPIC = Can old radiators stay?

# With the directories, whose times change when a file comes or goes. Which stages are stale, research knows.
reports/%: $(shell find $(DOCS)) $(MAKEFILE_LIST)
	@mkdir -p $(@D)
	$(RESEARCH) run '$(TOPIC)' --docs $(DOCS) --quiet --output $@

.PHONY: reports
.DELETE_ON_ERROR:
