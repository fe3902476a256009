import { configTemplates, type Rendered } from '@gantry/contract/config-centre/templates'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { SideDialog } from '../../ui/feedback/dialog.tsx'
import { useTeamId } from '../../ui/link.tsx'
import { Section } from '../../ui/page.tsx'
import styles from './config-centre.module.css'

/** A template filled from each profile, or the keys that the profile lacks. */
export function RenderedDialog({
  template,
  onClose,
}: {
  template: { uuid: string; name: string }
  onClose: () => void
}) {
  const query = useRead(configTemplates.rendered, {
    params: { teamId: useTeamId(), templateId: template.uuid },
    query: { pageSize: -1 },
  })
  return (
    <SideDialog title={t('config-ui-rendered-title', { name: template.name })} onClose={onClose}>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="g-note">{t('config-ui-rendered-none')}</p>
          ) : (
            items.map((one) => (
              <Section key={one.uuid} title={one.profile}>
                <Text {...one} />
              </Section>
            ))
          )
        }
      </Loaded>
    </SideDialog>
  )
}

const Text = ({ profile, text, missing }: Rendered) =>
  text === null ? (
    <p className="g-note g-note-bad">
      {t('config-ui-rendered-missing', { count: missing.length, keys: missing.join(', ') })}
    </p>
  ) : (
    // focusable, so that it can be scrolled by keyboard
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className={styles.text} tabIndex={0} aria-label={profile}>
      {text}
    </pre>
  )
