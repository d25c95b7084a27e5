/// The completion script for bash 3.2 or later, which needs no other package.
///
/// The values of an argument are a word list, `@path`, `@text` (nothing to offer), or a comma and a
/// word list from which several words may be chosen.
enum BashCompletion {
    static var script: String {
        """
        # Completes the command lines of replay in bash; printed by `replay completions bash`.
        _replay() {
            local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
            local before= values= options= valued= word index place=0
            local -a operands
            COMPREPLY=()
            if [[ $cur == = ]]; then
                cur=
            elif [[ $prev == = ]]; then
                prev=${COMP_WORDS[COMP_CWORD-2]}
            elif [[ $cur == --*=* ]]; then
                prev=${cur%%=*} before=${cur%%=*}= cur=${cur#*=}
            fi
            if ((COMP_CWORD == 1)); then
                values='\(firstWords)'
            else
                case ${COMP_WORDS[1]} in
        \(CommandCatalogue.all.map { commandCase($0) }.joined(separator: "\n"))
                    *) operands=(@text) ;;
                esac
                if [[ -z $values && $cur == -* ]]; then
                    values=$options
                elif [[ -z $values ]]; then
                    for ((index = 2; index < COMP_CWORD; index++)); do
                        word=${COMP_WORDS[index]}
                        if [[ $word == = ]]; then
                            index=$((index + 1))
                        elif [[ $word != -?* ]]; then
                            place=$((place + 1))
                        elif [[ " $valued " == *" $word "* && ${COMP_WORDS[index+1]} != = ]]; then
                            index=$((index + 1))
                        fi
                    done
                    ((place < ${#operands[@]})) || place=$((${#operands[@]} - 1))
                    values=${operands[place]}
                fi
            fi
            case $values in
                @text) return ;;
                @path)
                    compopt -o filenames 2>/dev/null
                    while IFS= read -r word; do
                        COMPREPLY+=("$before$word")
                    done < <(compgen -f -- "$cur")
                    return ;;
                ,*)
                    values=${values#,}
                    if [[ $cur == *,* ]]; then
                        before+=${cur%,*},
                        cur=${cur##*,}
                    fi ;;
            esac
            for word in $values; do
                [[ $word == "$cur"* ]] && COMPREPLY+=("$before$word")
            done
        }
        complete -F _replay replay
        """
    }

    /// The words that can take the place of a command.
    private static var firstWords: String {
        (CommandCatalogue.all.map { $0.name } + Shell.toolOptions.map(\.usage))
            .joined(separator: " ")
    }

    /// The branch of the script for a command line of this command.
    private static func commandCase(_ command: any ToolCommand.Type) -> String {
        let options = command.allOptions
        // The last operand in the list also applies to all further ones.
        var operands = command.operands.map { "'\(text(of: $0.values))'" }
        if command.operands.last?.repeats != true { operands.append("@text") }
        var lines = [
            "            \(command.name))",
            "                options='\(options.map { "--\($0.name)" }.joined(separator: " "))'",
            "                valued='"
                + options.filter { $0.value != nil }.map { "--\($0.name)" }.joined(separator: " ")
                + "'",
            "                operands=(\(operands.joined(separator: " ")))",
        ]
        let cases = options.filter { $0.value != nil }.map { option in
            "                    --\(option.name)) values='\(text(of: option.values))' ;;"
        }
        if !cases.isEmpty {
            lines.append("                case $prev in")
            lines += cases
            lines.append("                esac")
        }
        return lines.joined(separator: "\n") + " ;;"
    }

    private static func text(of values: ArgumentValues) -> String {
        switch values {
        case .text: "@text"
        case .path: "@path"
        case .oneOf(let words), .suggested(let words): words.joined(separator: " ")
        case .list(let words): "," + words.joined(separator: " ")
        }
    }
}
