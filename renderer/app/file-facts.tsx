import { Popover } from '@base-ui/react/popover'
import { valueOf } from './async-data.ts'
import { useApp } from './use-store.ts'
import { bytes, count, counted } from '../ui/format.ts'

/** [U1] What was read and as what: format, size, files that belong to it, records that are not shown. */
export function FileFacts() {
  const opened = useApp((state) => valueOf(state.document.opened))
  if (!opened) return null
  const { files, skipped } = opened
  const left = Object.entries(skipped)
  return (
    <Popover.Root>
      <Popover.Trigger className="brighten truncate" title="What was read">
        {opened.formatLabel} · {bytes(opened.bytes)}
        {files.length > 0 && ` · with ${counted(files.length, 'file')}`}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={8} side="top" align="start" className="layer">
          <Popover.Popup className="popover facts">
            <Popover.Title className="popover-title">{opened.name}</Popover.Title>
            <dl>
              <dt>format</dt>
              <dd>{opened.formatLabel}</dd>
              <dt>read</dt>
              <dd className="num">
                {bytes(opened.bytes)}, {counted(opened.lines, 'line')}
                {!opened.complete && ' so far'}
              </dd>
              <dt>sessions</dt>
              <dd className="num">{count(opened.sessions.length)}</dd>
              {files.length > 0 && (
                <>
                  <dt>read with it</dt>
                  <dd>
                    <ul className="facts-files scroll mono">
                      {files.map((file) => (
                        <li key={file}>{file}</li>
                      ))}
                    </ul>
                  </dd>
                </>
              )}
              {left.length > 0 && (
                <>
                  <dt>not shown</dt>
                  <dd className="num">
                    {left.map(([type, records]) => `${type} ${count(records)}`).join(', ')}
                  </dd>
                </>
              )}
            </dl>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
