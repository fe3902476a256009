import { configProfiles, type Imported, type Profile } from '@gantry/contract/config-centre/profiles'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { FileDrop } from '../../ui/form/file-drop.tsx'
import { useTeamId } from '../../ui/link.tsx'
import { Restarts } from './restarts.tsx'

/** Imports keys from a file, after a preview of the changes. */
export function ImportDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const params = { teamId: useTeamId(), uuid: profile.uuid }
  const [file, setFile] = useState<File>()
  const look = useWrite(configProfiles.import, { quiet: true })
  const take = useWrite(configProfiles.import, {
    quiet: true,
    done: ({ added, changed }) => t('config-ui-import-done', { count: added.length + changed.length }),
  })
  const preview = look.data
  const changes = preview ? preview.added.length + preview.changed.length : 0
  const error = take.error ?? look.error
  const choose = (chosen: File) => {
    setFile(chosen)
    take.reset()
    look.mutate({ params, query: { name: chosen.name, check: 'true' }, file: chosen })
  }
  return (
    <Dialog
      width={640}
      title={t('config-ui-import-title', { name: `${profile.project}/${profile.name}` })}
      onClose={onClose}
      buttons={
        <>
          {file && <Button onClick={() => setFile(undefined)}>{t('config-ui-import-other')}</Button>}
          <Button
            primary
            needs={configProfiles.import}
            loading={take.isPending}
            disabled={reasonAgainst({ file, isLooking: look.isPending, preview, changes })}
            onClick={() => {
              if (file && preview)
                take.mutate(
                  { params, query: { name: file.name, revision: preview.revision }, file },
                  { onSuccess: onClose },
                )
            }}
          >
            {t('config-ui-import')}
          </Button>
        </>
      }
    >
      {file === undefined ? (
        <FileDrop
          accept=".properties,.yaml,.yml"
          label={t('config-ui-import-drop')}
          memo={t('config-ui-import-memo')}
          onFile={choose}
        />
      ) : (
        <div aria-live="polite">
          {look.isPending && <p>{t('config-ui-import-looking', { file: file.name })}</p>}
          {error && <p className="g-note g-note-bad">{wordsOf(error)}</p>}
          {preview && !look.error && (
            <>
              <Preview preview={preview} />
              {changes > 0 && <Restarts project={profile.project} profile={profile.name} />}
            </>
          )}
        </div>
      )}
    </Dialog>
  )
}

/** The number of keys that are named for each kind of change. */
const most = 40
const joinKeys = (keys: readonly string[]): string =>
  [...keys.slice(0, most), ...(keys.length > most ? ['…'] : [])].join(', ')

const Preview = ({ preview }: { preview: Imported }) => (
  <>
    {preview.added.length + preview.changed.length === 0 && <p className="g-note">{t('config-ui-import-nothing')}</p>}
    <ul>
      {(['added', 'changed', 'same'] as const).map(
        (kind) =>
          preview[kind].length > 0 && (
            <li key={kind}>
              {t(`config-ui-import-${kind}`, { count: preview[kind].length, keys: joinKeys(preview[kind]) })}
            </li>
          ),
      )}
    </ul>
  </>
)

interface Standing {
  file: File | undefined
  isLooking: boolean
  preview: Imported | undefined
  changes: number
}

function reasonAgainst({ file, isLooking, preview, changes }: Standing): string | false {
  if (!file || !preview) return isLooking ? t('ui-loading') : t('config-ui-import-first')
  return changes === 0 && t('config-ui-import-nothing')
}
