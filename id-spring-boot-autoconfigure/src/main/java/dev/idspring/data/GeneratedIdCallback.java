package dev.idspring.data;

import java.util.List;
import java.util.function.Supplier;

import dev.idspring.IdSetupException;
import dev.idspring.entity.EntityIds;
import org.springframework.core.Ordered;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;

/**
 * Gives ids to the aggregates that Spring Data JDBC saves: to their roots and to their
 * children. Spring Data decides whether an aggregate is new before it calls this, so it
 * is inserted although it has an id by then.
 *
 * @since 0.1.0
 */
public final class GeneratedIdCallback implements BeforeConvertCallback<Object>, Ordered {

	/**
	 * After auditing, which tells from the missing id that an entity is new; before the
	 * callbacks of the application, which have no order and may want the id.
	 */
	static final int ORDER = 200;

	private final GeneratedIdMetadataResolver plans;

	private final GeneratedIds ids;

	/**
	 * Create a callback. Neither generators nor mapping contexts are asked for before
	 * they are needed.
	 * @param ids finds generators
	 * @param contexts the mapping contexts of the templates that call this
	 */
	public GeneratedIdCallback(Supplier<EntityIds> ids,
			Supplier<? extends List<? extends RelationalMappingContext>> contexts) {
		this.plans = new GeneratedIdMetadataResolver(ids, contexts);
		this.ids = new GeneratedIds(this.plans);
	}

	/**
	 * Check the entities that are known by now.
	 * @throws IdSetupException if a property that is marked with {@link GeneratedId}
	 * cannot have ids
	 */
	public void check() {
		this.plans.check();
	}

	@Override
	public Object onBeforeConvert(Object aggregate) {
		return this.ids.assign(aggregate, GeneratedProperty::next);
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

}
