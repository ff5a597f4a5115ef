do $same$
declare
	v_sequence constant regclass := to_regclass('{sequence}');
	v_counted constant text := obj_description(v_sequence, 'pg_class');
begin
	if v_sequence is not null and v_counted is distinct from '{positions}' then
		raise exception '{sequence} has counted positions of % but {name}() would create ids of {positions}',
				coalesce(v_counted, 'an unknown layout')
			using errcode = 'object_not_in_prerequisite_state',
				hint = 'Give the function another name (ids.ddl.function) and another node.';
	end if;
end
$same$
