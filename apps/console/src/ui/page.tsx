import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { t } from '../api/language.ts'
import { heading } from './heading.ts'
import { GoTo, type To } from './link.tsx'
import { Tabs, type Tab } from './tabs.tsx'

export interface Crumb {
  label: string
  to?: To
}

export interface PageProps {
  title: ReactNode
  /** The object in the browser tab's title, if it differs from `title`; empty if there is none. */
  object?: string | undefined
  /** A line below the title: a description, or the state of the content. */
  about?: ReactNode
  /** The breadcrumbs to this page, without the page itself. */
  crumbs?: readonly Crumb[]
  /** Buttons at the right; one of them may be primary. */
  actions?: ReactNode
  /** Tabs below the head; the open one is in the address, under `tab`. */
  tabs?: readonly Tab[]
  /** Narrow pages are for forms: lines stay readable. */
  narrow?: boolean
  children: ReactNode
}

/** A heading's text without states, marks and buttons; undefined while they load. */
function wordsOf(title: HTMLElement): string | undefined {
  const copy = title.cloneNode(true) as HTMLElement
  for (const part of copy.querySelectorAll('.g-state, .g-tag, button, svg')) part.remove()
  const words = copy.textContent.trim()
  return words === '' || words === '…' ? undefined : words
}

/** A screen: its title, path, actions and content. */
export function Page({ title, object, about, crumbs, actions, tabs, narrow, children }: PageProps) {
  const head = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    if (object !== undefined) heading.set(object || undefined)
    else if (head.current) heading.set(wordsOf(head.current))
  })
  useLayoutEffect(() => () => heading.set(undefined), [])
  return (
    <section className={narrow ? 'g-page g-page-narrow' : 'g-page'}>
      <header className="g-page-head">
        {crumbs && crumbs.length > 0 && <Breadcrumbs crumbs={crumbs} />}
        <div className="g-page-line">
          <h1 ref={head}>{title}</h1>
          {actions && <div className="g-row g-page-actions">{actions}</div>}
        </div>
        {about !== undefined && <div className="g-page-about">{about}</div>}
      </header>
      {tabs ? <Tabs tabs={tabs} /> : null}
      {children}
    </section>
  )
}

export function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav className="g-crumbs" aria-label={t('ui-breadcrumbs')}>
      <ol>
        {crumbs.map((crumb) => (
          <li key={crumb.label}>{crumb.to ? <GoTo to={crumb.to}>{crumb.label}</GoTo> : <span>{crumb.label}</span>}</li>
        ))}
      </ol>
    </nav>
  )
}

/** A part of a page with its own heading. */
export function Section({
  title,
  about,
  actions,
  children,
}: {
  title?: ReactNode
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="g-section">
      {(title !== undefined || actions !== undefined) && (
        <header className="g-section-head">
          <div>
            <h2>{title}</h2>
            {about !== undefined && <p>{about}</p>}
          </div>
          {actions && <div className="g-row">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  )
}
