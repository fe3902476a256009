/** The nonce of the page's content security policy, for code that writes styles without document.createElement. */
export const nonce = (): string => document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? ''
