# Reports as targets of GNU make: make -f examples/reports.mk
RESEARCH = research
DOCS = examples/heat-pumps
REPORTS = reports/cost.html reports/radiators.md

# A text as one word of the shell, and the file that names the documents of the reports.
quoted = '$(subst ','\'',$(1))'
MADE_OF = reports/.docs

ifeq ($(shell ls -d -- $(call quoted,$(DOCS)) 2>/dev/null),)
$(error DOCS names no folder or file: $(DOCS))
endif

reports: $(REPORTS)
reports/cost.html: TOPIC = What does a heat pump cost?
reports/radiators.md: TOPIC = Can old radiators stay?

# Other documents make the reports again, and new ones; also directories, whose times change when a file comes or goes.
# Which stages are stale, research knows.
NEWER = find $(call quoted,$(DOCS)) -newer $(MADE_OF) 2>&1 | head -n 1
ifneq ($(shell cat $(MADE_OF) 2>&1; $(NEWER)),$(DOCS))
$(shell mkdir -p reports && echo $(call quoted,$(DOCS)) > $(MADE_OF))
endif

$(REPORTS): $(MADE_OF) $(MAKEFILE_LIST)
	$(RESEARCH) run $(call quoted,$(TOPIC)) --docs $(call quoted,$(DOCS)) --quiet --output $@

.PHONY: reports
.DELETE_ON_ERROR:
