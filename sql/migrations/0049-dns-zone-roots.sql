-- Names below a suffix such as com.br no longer wait for each other.
comment on table dns.zone_roots is 'The last two labels of names, and the last three. A transaction that makes a zone locks the longer one, and shares the other with those that make other zones below it. So two transactions that make overlapping names follow each other, and the second sees the first.';
comment on column dns.zone_roots.name is 'Two labels, or three.';
