-- Fails if {table} was used for another layout or other tails, because the query then returns two rows.
-- In that case, set ids.ddl.function to another name, and choose another node.
set @ids_positions = (select table_comment from information_schema.tables where table_schema = {tableSchema}
	and table_name = '{function}_position' and table_comment <> '{tableComment}'
	union all select '{tableComment}')
