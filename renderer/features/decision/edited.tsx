import { editWords } from '../../../core/engine/skills/edit-words.ts'
import type { OfTurn } from '../../app/feature.ts'
import { selectSeq } from '../../app/select.ts'
import { Pressable } from '../../ui/button.tsx'
import { Domain } from '../../ui/domain.tsx'
import { Section } from '../../ui/parts.tsx'
import { visible } from '../../ui/visible.ts'

/** [K24] Of skill rules: the files that were edited until the next turn, and which file triggers fire on them. */
export function Edited({ trace: { edits = [] } }: OfTurn) {
  if (edits.length === 0) return null
  return (
    <Section title="Edited files">
      <ul className="stack gap-6 text-s">
        {edits.map(({ seq, tool, path, skills }, nth) => (
          <li key={`${seq} ${nth}`} className="stack gap-3">
            <Pressable title="Go to this call" onClick={() => selectSeq(seq)}>
              <code>{visible(path)}</code> <span className="quiet">{visible(tool)}</span>
            </Pressable>
            {skills.length === 0 && <span className="quiet">No file trigger is of this path.</span>}
            {skills.map((skill) => (
              <span key={skill.skill} className={skill.verdict === 'fires' ? 'good' : 'quiet'}>
                <Domain name={skill.skill} /> {visible(editWords(skill))}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  )
}
