#compdef replay
# Completes the command lines of replay in zsh; printed by `replay completions zsh`.
_replay() {
    local context state state_descr line
    local -a commands
    typeset -A opt_args
    _arguments -C \
{options}
        '1: :->command' \
        '*:: :->arguments'
    case $state in
        command)
            commands=(
{commands}
            )
            _describe -t commands 'replay command' commands ;;
        arguments)
            case $words[1] in
{cases}
            esac ;;
    esac
}
if [[ $funcstack[1] == _replay ]]; then
    _replay "$@"
else
    compdef _replay replay
fi
