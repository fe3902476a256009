/** A browser without a screen, for login pages: keeps cookies, follows redirects, posts the first form of a page. */
export function formBrowser() {
  const jars = new Map<string, Map<string, string>>()

  async function send(url: URL, body?: URLSearchParams): Promise<Response> {
    const jar = jars.get(url.host) ?? new Map<string, string>()
    jars.set(url.host, jar)
    const answer = await fetch(url, {
      method: body ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body ? { body } : {}),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (name !== undefined) jar.set(name, value ?? '')
    }
    return answer
  }

  const text = (html: string): string =>
    html.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#x2F;', '/').replaceAll('&#39;', "'")

  return {
    /** Follows redirects from the URL until a page is shown or one leads to `home`, where nobody needs to listen. */
    async go(url: URL, home: string, form?: URLSearchParams): Promise<{ at: URL; page: string }> {
      let [at, answer] = [url, await send(url, form)]
      for (let hops = 0; hops < 20; hops++) {
        const location = answer.headers.get('location')
        if (answer.status < 300 || answer.status > 399 || location === null) return { at, page: await answer.text() }
        at = new URL(location, at)
        if (at.origin === home) return { at, page: '' }
        answer = await send(at)
      }
      throw new Error(`${url.origin} redirects without end`)
    },
    /** Fills in and posts the first form of the page. */
    async post(shown: { at: URL; page: string }, home: string, fields: Record<string, string>) {
      const action = /<form[^>]*\saction="([^"]*)"/.exec(shown.page)?.[1]
      const form = new URLSearchParams()
      for (const [input] of shown.page.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
        const attribute = (name: string) => text(new RegExp(`\\s${name}="([^"]*)"`).exec(input)?.[1] ?? '')
        if (attribute('name') !== '') form.set(attribute('name'), attribute('value'))
      }
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      return this.go(new URL(text(action ?? ''), shown.at), home, form)
    },
  }
}
