# SPDX-License-Identifier: BSD-3-Clause
# Makes the completion of a shell of the help texts, so that it knows what they know:
# awk -v shell=bash|zsh -f completion.awk mpipp.txt run.txt ... > mpipp
#
# A command is a line "mpipp NAME ..." of mpipp.txt. An option is a line "  --NAME=VALUE   text" under "Options:"
# of the command's own file. Its values are A|B in that line; or the words at the start of lines that are indented
# further; or of those below "By --NAME" or "By default --NAME".
function name_of(file)
{
    sub(/.*\//, "", file)
    sub(/\.txt$/, "", file)
    return file
}
function add_value(option, value)
{
    if (index(" " values[topic, option] " ", " " value " ") == 0)
        values[topic, option] = values[topic, option] (values[topic, option] == "" ? "" : " ") value
}
FNR == 1 { topic = name_of(FILENAME); section = ""; option = "" }
/^[A-Z][A-Za-z ]*:$/ { section = $0; option = "" }
topic == "mpipp" && /^mpipp [a-z]/ {
    if (!($2 in about)) {
        commands[++command_count] = $2
        about[$2] = $0
        sub(/^mpipp [^ ]+( [^ ]+)*   */, "", about[$2])
    }
}
section == "Options:" && /^  --[a-z]/ {
    option = $1
    sub(/[=[].*/, "", option)
    takes[topic, option] = $1 ~ /=/
    options[topic, ++option_count[topic]] = option
    text[topic, option] = $0
    if ($0 ~ /a list with commas/)
        lists[option] = 1
    sub(/^  --[^ ]+( \[[A-Z]+\])?  */, "", text[topic, option])
    if ($1 ~ /=[a-z|]+$/) {
        split(substr($1, index($1, "=") + 1), choice, "|")
        for (i = 1; i in choice; i++)
            add_value(option, choice[i])
    }
    next
}
section == "Options:" && /^  [^ ]/ { option = "" }
section == "Options:" && option != "" && /^                           [a-z0-9]+  / { add_value(option, $1) }
# The section that an option's line sends the reader to.
section == "The debugger at the error:" && /^    [a-z]+  / { add_value("--on-error", $1) }
section == "Jobs that hang:" && /^    [a-z]+  / { add_value("--on-hang", $1) }

function quoted(words) { gsub(/'/, "'\\''", words); return "'" words "'" }
function for_zsh(words) { gsub(/\[|\]|:/, "\\\\&", words); return words }

function print_bash(    i, j, name, list)
{
    print "# Completion of mpipp for bash. Generated of the help texts."
    print "_mpipp()"
    print "{"
    print "    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} options='' values='' before='' option"
    list = ""
    for (i = 1; i <= command_count; i++)
        list = list " " commands[i]
    print "    COMPREPLY=()"
    print "    if [ \"$COMP_CWORD\" = 1 ]; then"
    print "        mapfile -t COMPREPLY < <(compgen -W '" substr(list, 2) " --version --help' -- \"$word\")"
    print "        return"
    print "    fi"
    print "    # '=' is a word of its own, unless it was taken out of COMP_WORDBREAKS."
    print "    if [ \"$word\" = = ]; then option=${COMP_WORDS[COMP_CWORD - 1]} word=''"
    print "    elif [ \"${COMP_WORDS[COMP_CWORD - 1]}\" = = ]; then option=${COMP_WORDS[COMP_CWORD - 2]}"
    print "    elif [[ $word == --*=* ]]; then option=${word%%=*} word=${word#*=}"
    print "    else option=''; fi"
    print "    case $command:$option in"
    for (i = 1; i <= command_count; i++) {
        name = commands[i]
        for (j = 1; j <= option_count[name]; j++) {
            if (values[name, options[name, j]] != "")
                print "    " name ":" options[name, j] ") values='" values[name, options[name, j]] "' ;;"
        }
    }
    print "    esac"
    print "    if [ -n \"$option\" ]; then"
    print "        # Of a list with commas, the last word."
    print "        case $option:$word in --check:*,*) before=${word%,*}, ;; esac"
    print "        [ -z \"$values\" ] || mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$values\" -- \"${word#\"$before\"}\")"
    print "        return"
    print "    fi"
    print "    case $command in"
    for (i = 1; i <= command_count; i++) {
        name = commands[i]
        list = ""
        for (j = 1; j <= option_count[name]; j++)
            list = list " " options[name, j] (takes[name, options[name, j]] ? "=" : "")
        if (list != "")
            print "    " name ") options='" substr(list, 2) "' ;;"
    }
    print "    help) options='" topics() "' ;;"
    print "    explain) options=$(\"${COMP_WORDS[0]}\" explain 2>/dev/null | cut -d ' ' -f 1) ;;"
    print "    esac"
    print "    # After the program its own arguments follow."
    print "    if [ \"$command\" != help ] && [ \"$command\" != explain ]; then"
    print "        [[ $word == -* ]] || return"
    print "    fi"
    print "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")"
    print "    if [ \"${#COMPREPLY[@]}\" = 1 ] && [[ ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi"
    print "}"
    print "complete -o default -o bashdefault -F _mpipp mpipp"
}
function topics(    i, list)
{
    for (i = 1; i <= command_count; i++) {
        if (commands[i] != "help")
            list = list (list == "" ? "" : " ") commands[i]
    }
    return list
}
function print_zsh(    i, j, name, option, spec)
{
    print "#compdef mpipp"
    print "# Completion of mpipp for zsh. Generated of the help texts."
    print "local -a commands"
    print "commands=("
    for (i = 1; i <= command_count; i++)
        print "    " quoted(for_zsh(commands[i]) ":" about[commands[i]])
    print ")"
    print "if (( CURRENT == 2 )); then"
    print "    _describe command commands"
    print "    return"
    print "fi"
    print "local command=$words[2]"
    print "shift words"
    print "(( CURRENT-- ))"
    print "case $command in"
    for (i = 1; i <= command_count; i++) {
        name = commands[i]
        if (!option_count[name])
            continue
        print "(" name ")"
        print "    _arguments \\"
        for (j = 1; j <= option_count[name]; j++) {
            option = options[name, j]
            spec = option (takes[name, option] ? "=" : "") "[" for_zsh(text[name, option]) "]"
            if (takes[name, option])
                spec = spec ":" substr(option, 3) ":" \
                    (values[name, option] == "" ? "_files" : option in lists ? \
                    "_sequence compadd - " values[name, option] : "(" values[name, option] ")")
            print "        " quoted(spec) " \\"
        }
        print "        '*:: :_files' ;;"
    }
    print "(help) _values topic " topics() " ;;"
    print "(explain) _values check ${(f)\"$(mpipp explain 2>/dev/null | cut -d ' ' -f 1)\"} ;;"
    print "(*) _files ;;"
    print "esac"
}
END {
    add_report("--on-error")
    add_report("--on-hang")
    take_from_run()
    if (shell == "zsh")
        print_zsh()
    else
        print_bash()
}
# Each of the two may be "report", which has no line where the others are explained.
function add_report(option,    i)
{
    for (i = 1; i <= command_count; i++) {
        topic = commands[i]
        if ((topic, option) in takes)
            add_value(option, "report")
    }
}
# Another command's text of an option of 'mpipp run' may say no more than that.
function take_from_run(    i, j, option)
{
    for (i = 1; i <= command_count; i++) {
        topic = commands[i]
        for (j = 1; j <= option_count[topic]; j++) {
            option = options[topic, j]
            if (values["run", option] != "")
                values[topic, option] = values["run", option]
        }
    }
}
