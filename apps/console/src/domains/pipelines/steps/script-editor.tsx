import { CodeField, type CodeFieldProps } from '../../../ui/editor/code-field.tsx'
import { shell } from './shell-language.ts'

/** A shell script's editor, in a separate file that is loaded when an editor is rendered. */
export const ScriptEditor = (props: Omit<CodeFieldProps, 'language'>) => <CodeField {...props} language={shell} />
