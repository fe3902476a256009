/** The nonce of the page's content security policy, for what writes styles past document.createElement. */
export const nonce = (): string => document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? ''
