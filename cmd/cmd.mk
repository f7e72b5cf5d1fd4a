# The shell command: build/bin/mpipp and its man page.

CMD_SOURCES := $(wildcard cmd/*.c)
CMD_OBJECTS := $(CMD_SOURCES:cmd/%.c=$(BUILD)/obj/cmd/%.o)
CMD_TOPICS  := $(addprefix cmd/help/,mpipp.txt run.txt exec.txt gdb.txt attach.txt ranks.txt)
CMD_TEXTS   := $(BUILD)/obj/cmd/help_texts.h

CMD_HOLD    := $(BUILD)/lib/mpipp/hold.so

TREE += $(BUILD)/bin/mpipp $(BUILD)/share/man/man1/mpipp.1 $(CMD_HOLD)

$(CMD_TEXTS): cmd/help/embed.awk $(CMD_TOPICS)
	@mkdir -p $(@D)
	awk -f $^ > $@.new && mv $@.new $@

$(BUILD)/obj/cmd/help.o: $(CMD_TEXTS)

$(BUILD)/obj/cmd/%.o: cmd/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -D_GNU_SOURCE -DMPIPP_VERSION='"$(VERSION)"' -I$(BUILD)/obj/cmd \
	    $(WARNINGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/bin/mpipp: $(CMD_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@

# Loaded into ranks of either MPI.
$(CMD_HOLD): cmd/hold/library.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -D_GNU_SOURCE $(WARNINGS) $(CFLAGS) -fPIC -shared $(LDFLAGS) $< -o $@

$(BUILD)/share/man/man1/mpipp.1: cmd/help/man.awk $(CMD_TOPICS)
	@mkdir -p $(@D)
	awk -v version=$(VERSION) -f $^ > $@.new && mv $@.new $@

-include $(CMD_OBJECTS:.o=.d)
