import { nonce } from '../ui/nonce.ts'

/**
 * Libraries create style elements at runtime: antd, the editor, the terminal. The content security policy requires the
 * page's nonce on each, so this file, which runs first, adds it.
 */
export function putNonceOnStyles(doc: Document, value: string): void {
  const create = doc.createElement.bind(doc)
  doc.createElement = (name: string, options?: ElementCreationOptions): HTMLElement => {
    const element = create(name, options)
    if (element instanceof HTMLStyleElement) element.nonce = value
    return element
  }
}

putNonceOnStyles(document, nonce())
