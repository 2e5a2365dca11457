create or replace function is_by_resident(author_id integer, author_role text, author_label text, is_anonymous boolean)
  returns boolean
  language sql immutable parallel safe
  return author_id is not null and author_label is null and (is_anonymous or not is_staff(author_role));

comment on function is_by_resident is
  'Whether an entry is by a resident. On an anonymous report the entry says so, not the role of its author, which would show who the reporter is (decision 9.9): what the reporter writes is a resident''s, and what the office signs (with an author and a label) is not.';
