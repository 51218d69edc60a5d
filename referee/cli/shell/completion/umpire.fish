# Completion of umpire for fish: umpire completion fish | source

function __umpire_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l replies ($words[1] __complete -- $words[2..-1] "$current" 2>/dev/null)
    test (count $replies) -gt 1; and printf '%s\n' $replies[2..-1]
    set -l name (string match -r '^[^/=]+=' -- "$current")
    set -l path (string replace -r '^[^/=]+=' '' -- "$current")
    switch "$replies[1]"
        case files
            for file in (__fish_complete_path "$path")
                echo "$name$file"
            end
        case folders
            __fish_complete_directories "$path"
    end
end

complete -c umpire -f -a '(__umpire_complete)'
