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
        values='{first words}'
    else
        case ${COMP_WORDS[1]} in
{commands}
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
