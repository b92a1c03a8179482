import { Dialog } from '../ui/dialog.tsx'
import { Keys } from '../ui/parts.tsx'
import { isMac } from '../ui/platform.ts'
import { registry } from './commands.ts'
import { keyLabels } from './keys.ts'

/** All commands that have a key. */
export function Help({ onClose }: { readonly onClose: () => void }) {
  const commands = registry.getState().commands.filter(({ keys }) => keys.length > 0)
  const { paneKeys } = registry.getState()
  const groups = Map.groupBy(commands, ({ group }) => group)
  return (
    <Dialog
      title="Keyboard shortcuts"
      className="modal-wide modal-help"
      onClose={onClose}
      note="In the list, ↑ and ↓ go event by event. On the timeline, the arrow keys go turn by turn. Esc closes what is open."
    >
      <div className="help pad-main scroll" role="region" aria-label="All shortcuts" tabIndex={0}>
        {[...groups].map(([group, listed]) => (
          <section key={group} aria-label={group}>
            <h3 className="headline">{group}</h3>
            <dl>
              {listed.map(({ id, keys, what, only }) => (
                <div className="row between gap-12 line-below" key={id}>
                  <dt>
                    {what}
                    {only && <span className="quiet"> · {only.words}</span>}
                  </dt>
                  <dd>
                    <Keys keys={keyLabels(keys, isMac)} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        {paneKeys.map(({ while: place, rows }) => (
          <section key={place} aria-label={place}>
            <h3 className="headline">{place}</h3>
            <dl>
              {rows.map(({ keys, what }) => (
                <div className="row between gap-12 line-below" key={what}>
                  <dt>{what}</dt>
                  <dd>
                    <Keys keys={keyLabels(keys, isMac)} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
