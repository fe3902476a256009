import { StreamLanguage, type StringStream } from '@codemirror/language'

interface State {
  /** The quote that ends the present string. */
  quote: '' | '"' | "'"
}

const keywords =
  /^(if|then|elif|else|fi|for|while|until|do|done|case|esac|in|function|return|exit|set|export|local|read|shift|trap)\b/

function token(stream: StringStream, state: State): string | null {
  if (state.quote !== '') {
    if (state.quote === '"' && stream.match(/^\$(\w+|\{[^}]*\}?)/)) return 'variableName'
    while (!stream.eol()) {
      if (state.quote === '"' && stream.peek() === '$' && stream.pos > stream.start) return 'string'
      const next = stream.next()
      if (next === '\\' && state.quote === '"') stream.next()
      else if (next === state.quote) {
        state.quote = ''
        break
      }
    }
    return 'string'
  }
  if (stream.eatSpace()) return null
  if (stream.peek() === '#' && (stream.sol() || /\s/.test(stream.string.charAt(stream.pos - 1)))) {
    stream.skipToEnd()
    return 'comment'
  }
  if (stream.match(/^\$(\w+|\{[^}]*\}?|[?#@*!$-])/)) return 'variableName'
  if (stream.match(keywords)) return 'keyword'
  if (stream.match(/^\d+(?!\S)/)) return 'number'
  const next = stream.next()
  if (next === '\\') stream.next()
  else if (next === '"' || next === "'") {
    state.quote = next
    return 'string'
  } else stream.eatWhile(/[^\s"'$\\#;|&()<>]/)
  return null
}

/** Tokenizes comments, strings, variables and keywords of a shell script. */
export const shell = StreamLanguage.define<State>({
  name: 'shell',
  startState: () => ({ quote: '' }),
  copyState: (state) => ({ ...state }),
  token,
  languageData: { commentTokens: { line: '#' } },
})
