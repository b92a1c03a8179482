import { Details } from '../../ui/parts.tsx'

const PATHS = [
  ['$', 'one line of the file, one item of its list, or the one object that it is'],
  ['@', 'one record: what “records” finds, or one part of it (“each”)'],
  ['@.message.text', 'a field of a field'],
  ["@['user name']", 'a name with other signs in it'],
  ['$.turns[*]', 'every item of a list'],
  ['@.parts[0]', 'the first item; [-1] is the last'],
  ['@^', 'what stands around it: the list; @^^ the object around that list'],
] as const

const FIELDS = [
  ['match', 'what shows the format: each path has to find something, or one of “equals”'],
  ['records', 'where the records are, from $'],
  ['session, parent, title', 'ids of the session and of the one that started it; its title'],
  ['roles', 'what your names of speakers mean: human: user. “skip” leaves a record out'],
  [
    'events',
    'what a record becomes; each with role (or kind), text, time, tool, arguments, result, error, call, name, model',
  ],
] as const

/** Reference of the mapping syntax, for writing a first mapping. */
export function PathHelp() {
  return (
    <Details className="text-s" summary="What can stand in it">
      <dl className="formats-help">
        {[...FIELDS, ...PATHS].map(([term, about]) => (
          <div key={term}>
            <dt className="mono">{term}</dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <p className="quiet">
        A list of paths is allowed in place of one: the first that finds something counts.
      </p>
    </Details>
  )
}
