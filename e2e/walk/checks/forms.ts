import type { Check } from '../visit.ts'

/** All forms are alike: those of the kit, of one width, with their buttons at the end, and choices as cards. */
export const check: Check = ({ page }) =>
  page.evaluate(() => {
    const seen = (selector: string) =>
      [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility())
    const named = (what: string, { outerHTML }: HTMLElement) => `${what}: ${outerHTML.slice(0, 160)}`
    return [
      ...seen('main form:not(.g-form, [role=search])').map((form) => named('is a form of its own', form)),
      ...seen('main .g-form:not(.g-form-beside)').flatMap((form) => {
        const buttons = form.querySelector('.g-form-foot > .g-row:last-child')
        const [outer, inner] = [form.getBoundingClientRect(), buttons?.getBoundingClientRect()]
        if (outer.width > 720) return [named(`is ${outer.width} px wide`, form)]
        return inner && outer.right - inner.right > 1 ? [named('does not end with its buttons', form)] : []
      }),
      ...seen('main input[type=radio]:not(.g-card *, .ant-segmented *)').map((radio) => named('is on no card', radio)),
    ]
  })
