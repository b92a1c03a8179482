import { keyLabels, SHORTCUTS, type Shortcut } from './keys.ts'
import { Keys } from '../ui/bits.tsx'
import { Modal } from '../ui/modal.tsx'
import { isMac } from '../ui/platform.ts'

const GROUPS = Map.groupBy<string, Shortcut>(SHORTCUTS, (shortcut) => shortcut.group)
const WHEN = {
  always: '',
  session: '',
  compare: 'while comparing',
  file: 'files on disk',
  find: 'with results',
  draft: 'with a draft',
} as const

/** All shortcuts, from the table that the handler reads. */
export function Help({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal title="Keyboard shortcuts" className="modal-wide modal-help" onClose={onClose}>
      <div className="help pad-main scroll" role="region" aria-label="All shortcuts" tabIndex={0}>
        {[...GROUPS].map(([group, shortcuts]) => (
          <section key={group} aria-label={group}>
            <h3 className="headline">{group}</h3>
            <dl>
              {shortcuts.map(({ command, keys, what, when }) => (
                <div className="row between gap-12 line-below" key={command}>
                  <dt>
                    {what}
                    {WHEN[when] !== '' && <span className="quiet"> · {WHEN[when]}</span>}
                  </dt>
                  <dd>
                    <Keys keys={keyLabels(keys, isMac)} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="modal-foot quiet">
        In the list, ↑ and ↓ go event by event. On the timeline, the arrow keys go turn by turn. Esc
        closes what is open.
      </p>
    </Modal>
  )
}
