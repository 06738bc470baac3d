--! login selo_notes
--! derived schema notes_figures
grant usage on schema notes_figures to selo_notes;
