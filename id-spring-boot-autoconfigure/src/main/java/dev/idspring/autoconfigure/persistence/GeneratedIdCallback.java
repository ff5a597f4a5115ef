package dev.idspring.autoconfigure.persistence;

import java.util.List;
import java.util.function.Supplier;

import dev.idspring.IdGenerators;
import dev.idspring.annotation.IdSource;
import org.springframework.core.Ordered;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;

/**
 * Assigns ids to the aggregates that Spring Data JDBC saves: to their roots and to their
 * children. Spring Data decides before this callback whether an aggregate is new, so it
 * inserts it although it now has an id.
 */
final class GeneratedIdCallback implements BeforeConvertCallback<Object>, Ordered {

	/**
	 * After auditing, which takes an entity without an id for new; before the callbacks
	 * of the application, which have no order and may need the id.
	 */
	static final int ORDER = 200;

	private final AggregateIds ids;

	/**
	 * Create a callback.
	 * @param generators supplies the generators; called when the first id is needed
	 * @param contexts supplies the mapping contexts of the templates that call this
	 */
	GeneratedIdCallback(Supplier<IdGenerators> generators,
			Supplier<? extends List<? extends RelationalMappingContext>> contexts) {
		this.ids = new AggregateIds(generators, contexts);
	}

	/**
	 * Check the entities that are known by now.
	 * @throws dev.idspring.IdSetupException if an annotated property cannot have ids
	 */
	void check() {
		this.ids.check();
	}

	@Override
	public Object onBeforeConvert(Object aggregate) {
		return this.ids.assign(aggregate, IdSource::next);
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

}
