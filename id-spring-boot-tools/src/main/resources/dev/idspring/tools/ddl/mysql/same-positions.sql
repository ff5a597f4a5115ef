-- Fails, as there are two rows, if {table} has counted for another layout, or other tails:
-- give the function another name then, by ids.ddl.function, and another node.
set @ids_positions = (select table_comment from information_schema.tables where table_schema = {tableSchema}
	and table_name = '{function}_position' and table_comment <> '{tableComment}'
	union all select '{tableComment}')
