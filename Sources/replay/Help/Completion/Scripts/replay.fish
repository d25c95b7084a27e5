# Completes the command lines of replay in fish; printed by `replay completions fish`.

# Whether the word before the cursor is the command's name or an option of the tool.
function __replay_first
    test (count (commandline -opc)) -eq 1
end

# Whether the command is the first argument and, where two numbers follow, as many
# operands as these allow stand before the cursor.
function __replay_at
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test "$words[2]" = "$argv[1]"; or return 1
    set -q argv[2]; or return 0
    set -l valued {valued}
    set -l place 0
    set -l skips 0
    for word in $words[3..-1]
        if test $skips = 1
            set skips 0
        else if contains -- $word $valued
            set skips 1
        else if not string match -q -- '-?*' $word
            set place (math $place + 1)
        end
    end
    test $place -ge $argv[2] -a $place -le $argv[3]
end

{completions}
