import type { Check } from '../visit.ts'

/** Forms that open empty: submitting them empty is refused. */
const opensEmpty = /-(?:add|create|form|clone)(?:-|$)/

/** A user who submits a form with a missing value is led to the field: it has the focus, and its label is visible. */
export const check: Check = async ({ name, who, page }) => {
  const send = page.locator('main .g-form button[type=submit]:not([aria-disabled=true], :disabled)').first()
  if (who !== 'admin' || !opensEmpty.test(name) || (await send.count()) === 0) return []
  await send.focus()
  await page.keyboard.press('Enter')
  const isLed = await page
    .waitForFunction(() => document.activeElement?.closest('.ant-form-item-has-error'))
    .then(
      () => true,
      () => false,
    )
  if (!isLed) return ['does not lead to what is missing']
  return page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    const label = document.activeElement?.closest('.ant-form-item')?.querySelector('label')
    if (!label) return ['leads to a field without a label']
    const { left, top, bottom, height } = label.getBoundingClientRect()
    const seen = document.elementFromPoint(left + 4, top + height / 2)
    const isSeen = top >= 0 && bottom <= innerHeight && (label.contains(seen) || seen?.contains(label) === true)
    return isSeen ? [] : [`hides the label of what is missing: ${label.textContent}, from ${top} to ${bottom}`]
  })
}
