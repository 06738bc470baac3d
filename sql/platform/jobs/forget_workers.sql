create function jobs.forget_workers(p_ids text[]) returns void
  language sql volatile security definer set search_path = '' as $$
  delete from platform.workers as worker where worker.id = any (p_ids)
$$;
comment on function jobs.forget_workers(text[]) is 'Removes workers that have stopped, or whose jobs were given to others.';
revoke execute on function jobs.forget_workers(text[]) from public;
grant execute on function jobs.forget_workers(text[]) to selo_worker;
