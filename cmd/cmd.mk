# SPDX-License-Identifier: BSD-3-Clause
# The shell command: build/bin/mpipp and its man page.

# For users with a small `ulimit -s`: the largest object on the stack is a path.
CMD_FRAMES  := -Wframe-larger-than=4608
# Such as x86_64-linux-gnu: where Debian has libraries.
MULTIARCH   := $(or $(shell $(CC) -print-multiarch),none)
CMD_SOURCES := $(sort $(wildcard cmd/*.c cmd/findings/*.c cmd/inquiry/*.c cmd/nodes/*.c cmd/on_error/*.c cmd/stacks/*.c cmd/watch/*.c))
CMD_OBJECTS := $(CMD_SOURCES:cmd/%.c=$(BUILD)/obj/cmd/%.o)
CMD_TOPICS  := $(addprefix cmd/help/,mpipp.txt run.txt exec.txt gdb.txt ddd.txt attach.txt ranks.txt stacks.txt explain.txt)
CMD_TEXTS   := $(BUILD)/obj/cmd/help_texts.h
CMD_EXPLAIN := $(BUILD)/obj/cmd/explain_texts.h
CMD_PAGE    := $(BUILD)/obj/cmd/findings_page.h
# The format of findings, shared with the ranks.
CMD_REPORT  := $(patsubst libshadowtype/%.c,$(BUILD)/obj/cmd/%.o,$(sort $(wildcard libshadowtype/report/*.c)))

CMD_HOLD    := $(BUILD)/lib/mpipp/hold.so

CMD_BASH    := $(BUILD)/share/bash-completion/completions/mpipp
CMD_ZSH     := $(BUILD)/share/zsh/site-functions/_mpipp

# Pages that are no help texts.
CMD_PAGES   := $(BUILD)/share/man/man1/mpipp-gdb.1 $(BUILD)/share/man/man3/shadowtype.3

TREE += $(CMD_BASH) $(CMD_ZSH) $(CMD_PAGES)
TREE += $(BUILD)/bin/mpipp $(BUILD)/bin/mpipp-gdb $(BUILD)/share/man/man1/mpipp.1 $(CMD_HOLD)

$(CMD_TEXTS): cmd/help/embed.awk $(CMD_TOPICS)
	@mkdir -p $(@D)
	$(call step,GEN,$@)
	$(Q)awk -f $^ > $@.new && mv $@.new $@

$(BUILD)/obj/cmd/help.o: $(CMD_TEXTS)

$(CMD_EXPLAIN): cmd/explain/embed.awk $(sort $(wildcard cmd/explain/*.txt examples/errors/*.c))
	@mkdir -p $(@D)
	$(call step,GEN,$@)
	$(Q)awk -f $^ > $@.new && mv $@.new $@

$(BUILD)/obj/cmd/explain.o: $(CMD_EXPLAIN)

$(CMD_PAGE): cmd/findings/page.css
	@mkdir -p $(@D)
	$(call step,GEN,$@)
	$(Q)sed -e 's/[\"]/\\&/g' -e 's/.*/"&\\n"/' \
	    -e '1s/^/static const char page_style[] =\n/' -e '$$s/$$/;/' $< >$@.new && mv $@.new $@

$(BUILD)/obj/cmd/findings/html.o: $(CMD_PAGE)

$(CMD_REPORT): $(BUILD)/obj/cmd/report/%.o: libshadowtype/report/%.c
	@mkdir -p $(@D)
	$(call step,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) -D_GNU_SOURCE -Ilibshadowtype $(WARNINGS) $(CFLAGS) $(PLACES) -MMD -MP -c $< -o $@

$(BUILD)/obj/cmd/%.o: cmd/%.c
	@mkdir -p $(@D)
	$(call step,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) -D_GNU_SOURCE -Ilibshadowtype -DMPIPP_VERSION='"$(VERSION)"' -DMPIPP_MULTIARCH='"$(MULTIARCH)"' -I$(BUILD)/obj/cmd \
	    $(WARNINGS) $(CMD_FRAMES) $(CFLAGS) $(PLACES) -MMD -MP -c $< -o $@

# The core reads the registries of ranks.
$(BUILD)/bin/mpipp: $(CMD_OBJECTS) $(CMD_REPORT) $(CORE_LIBRARY)
	@mkdir -p $(@D)
	$(call step,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -ljansson -lm -ldl -pthread -o $@

$(BUILD)/bin/mpipp-gdb: cmd/mpipp-gdb.sh
	@mkdir -p $(@D)
	$(call step,COPY,$@)
	$(Q)cp $< $@

# Loaded into ranks of either MPI.
$(CMD_HOLD): cmd/hold/library.c
	@mkdir -p $(@D)
	$(call step,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) -D_GNU_SOURCE $(WARNINGS) $(CMD_FRAMES) $(CFLAGS) $(PLACES) -fPIC -shared $(LDFLAGS) $< -ldl -pthread -o $@

$(BUILD)/share/man/man1/mpipp.1: cmd/help/man.awk $(CMD_TOPICS)
	@mkdir -p $(@D)
	$(call step,GEN,$@)
	$(Q)awk -v version=$(VERSION) -f $^ > $@.new && mv $@.new $@

$(BUILD)/share/man/man1/mpipp-gdb.1: cmd/help/mpipp-gdb.1.in
$(BUILD)/share/man/man3/shadowtype.3: libshadowtype/shadowtype.3.in
$(CMD_PAGES):
	@mkdir -p $(@D)
	$(call step,GEN,$@)
	$(Q)sed 's/@VERSION@/$(VERSION)/' $< >$@.new && mv $@.new $@

$(CMD_BASH) $(CMD_ZSH): cmd/help/completion.awk $(CMD_TOPICS)
	@mkdir -p $(@D)
	$(call step,GEN,$@)
	$(Q)awk -v shell=$(if $(filter $(CMD_ZSH),$@),zsh,bash) -f $^ > $@.new && mv $@.new $@

-include $(CMD_OBJECTS:.o=.d) $(CMD_REPORT:.o=.d)
