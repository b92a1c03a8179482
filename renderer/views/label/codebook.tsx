import { call } from '../../app/question.ts'
import { useQuery } from '../../app/use-query.ts'
import { Answered } from '../../ui/answered.tsx'
import { Details } from '../../ui/parts.tsx'

const QUESTION = call('codebook.get', {}, { where: 'Codebook' })

/** [L88] The workspace's rules of labelling, letter for letter: who wrote them may have written anything. */
export function CodebookView() {
  const { data, again } = useQuery(QUESTION)
  return (
    <Answered data={data} retry={again} waiting={null}>
      {({ file, text, places }) =>
        file === null ? (
          <p className="quiet">
            No codebook. Write one as <code>{places[0]}</code>, <code>{places[1]}</code> or{' '}
            <code>{places[2]}</code> of the workspace.
          </p>
        ) : (
          <Details summary={`Codebook: ${file}`} className="full-width">
            <pre
              className="label-codebook pre-wrap break-words scroll text-xs"
              tabIndex={0}
              aria-label="Codebook"
              role="region"
            >
              {text}
            </pre>
          </Details>
        )
      }
    </Answered>
  )
}
