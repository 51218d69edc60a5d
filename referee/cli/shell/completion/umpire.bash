# Completion of umpire for bash: source <(umpire completion bash)

_umpire() {
    local line=${COMP_LINE:0:COMP_POINT} kind reply word skip
    local -a words
    read -a words <<<"$line" # without -r: a space after a backslash ends no word
    [[ $line == *[[:space:]] ]] && words+=("")
    word=${words[${#words[@]}-1]}
    # bash takes characters such as = for ends of words, and replaces only what
    # follows the last of them.
    skip=$((${#word} - ${#2}))
    ((skip < 0)) && skip=0
    COMPREPLY=()
    {
        read -r kind
        while IFS=$'\t' read -r reply _; do
            COMPREPLY+=("${reply:skip}")
        done
    } < <("${words[0]/#\~/$HOME}" __complete -- "${words[@]:1}" 2>/dev/null)
    case $kind in
    files) set -- -f default "$2" ;;
    folders) set -- -d dirnames "$2" ;;
    *) return ;;
    esac
    # Alone, bash itself completes names of files, and quotes what needs it.
    if ((${#COMPREPLY[@]} == 0)) && compopt -o "$2" 2>/dev/null; then
        return
    fi
    while IFS= read -r reply; do
        COMPREPLY+=("$reply")
        compopt -o filenames 2>/dev/null
    done < <(compgen "$1" -- "$3")
}

complete -F _umpire umpire
