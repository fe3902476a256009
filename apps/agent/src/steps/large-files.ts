/**
 * Shell functions of the checkout script for files that a repository keeps in Git LFS. Without git-lfs, or if the host
 * does not deliver the files, small text files stay instead of them, and the log names these.
 */
export const largeFileFunctions = `
# In a repository that is checked out: $1 its folder in the workspace, with a slash where there is one.
large_files() {
  [ -n "$(git ls-files ':(attr:filter=lfs)' | head -n 1)" ] || return 0
  why=
  if ! git lfs version > /dev/null 2>&1; then why='git-lfs is not installed on the build agent’s machine.'
  else
    # What it names itself is asked for as a submodule is.
    for address in $(git config --blob HEAD:.lfsconfig --get-regexp '^(lfs|remote\\..*)\\.(lfs)?(push)?url$' 2> /dev/null | cut -d ' ' -f 2-); do
      may_ask "$address" || break
    done
    [ -n "$why" ] || {
      git lfs install --local --skip-repo > /dev/null 2> "$errors" && git lfs pull > /dev/null 2> "$errors"
    } || why=$(last_words)
  fi
  pointers=$(git -c core.quotePath=false grep -l -I '^version https://git-lfs\\.github\\.com/spec/v1$' -- ':(attr:filter=lfs)') || pointers=
  if [ -n "$pointers" ]; then
    echo "Left out large files (Git LFS), which are pointers now: $(printf '%s\\n' "$pointers" | grep -c '').\${why:+ The cause: $why}"
    printf '%s\\n' "$pointers" | head -n 10 | while IFS= read -r path; do echo "  $1$path"; done
    [ "$(printf '%s\\n' "$pointers" | grep -c '')" -le 10 ] || echo '  …'
  else
    echo "Fetched the large files (Git LFS)\${1:+ of $1}: $(git ls-files ':(attr:filter=lfs)' | grep -c '')"
  fi
}
`
