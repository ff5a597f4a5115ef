package dev.idspring.data;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

import dev.idspring.IdSetupException;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mapping.InstanceCreatorMetadata;
import org.springframework.data.mapping.Parameter;
import org.springframework.data.mapping.PersistentEntity;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.mapping.model.EntityInstantiators;
import org.springframework.data.mapping.model.ParameterValueProvider;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Changes one property of an entity, and nothing else: in place where that is possible,
 * by the entity's own wither, or else in a copy.
 * <p>
 * Spring Data would copy the parameters of the constructor and nothing more. Here the
 * fields that are left are carried over: transient ones, such as events that were
 * registered, and others that the constructor does not know. Where a final field of the
 * copy comes out different, the copy is refused. What the constructor derives from its
 * parameters it derives for the copy as well: that is left as it is.
 */
final class Changes {

	private final EntityInstantiators instantiators = new EntityInstantiators();

	/**
	 * Whether a property can be changed.
	 */
	static boolean isPossible(RelationalPersistentEntity<?> entity, RelationalPersistentProperty property) {
		return property.isReadable() || isCreatorParameter(entity, property);
	}

	private static boolean isCreatorParameter(RelationalPersistentEntity<?> entity,
			RelationalPersistentProperty property) {
		@Nullable InstanceCreatorMetadata<RelationalPersistentProperty> creator = entity.getInstanceCreatorMetadata();
		return creator != null && creator.isCreatorParameter(property);
	}

	/**
	 * Change a property.
	 * @param entity the type of the entity
	 * @param bean the entity
	 * @param property what to change
	 * @param value the new value
	 * @return the entity, or a copy
	 * @throws IdSetupException if a copy would lose something
	 */
	Object set(RelationalPersistentEntity<?> entity, Object bean, RelationalPersistentProperty property, Object value) {
		Object changed;
		if (property.isReadable()) {
			PersistentPropertyAccessor<Object> accessor = entity.getPropertyAccessor(bean);
			accessor.setProperty(property, value);
			changed = accessor.getBean();
		}
		else if (isCreatorParameter(entity, property)) {
			changed = this.instantiators.getInstantiatorFor(entity)
				.createInstance(entity, new Arguments(entity, bean, property, value));
		}
		else {
			replaceContent(entity, property, entity.getPropertyAccessor(bean).getProperty(property), value);
			changed = bean;
		}
		if (changed != bean && property.getWither() == null) {
			SingletonSupplier<Optional<Object>> twin = SingletonSupplier.of(() -> twin(entity, bean));
			carryOver(entity, bean, changed, property, twin::obtain);
		}
		return changed;
	}

	/**
	 * Replace what a final collection holds.
	 */
	@SuppressWarnings("unchecked")
	private static void replaceContent(RelationalPersistentEntity<?> entity, RelationalPersistentProperty property,
			@Nullable Object content, Object replacement) {
		try {
			if (content instanceof Collection<?> collection) {
				collection.clear();
				((Collection<Object>) collection).addAll((Collection<Object>) replacement);
				return;
			}
			if (content instanceof Map<?, ?> map) {
				((Map<Object, Object>) map).putAll((Map<Object, Object>) replacement);
				return;
			}
		}
		catch (UnsupportedOperationException ex) {
			// as any other that cannot be changed
		}
		throw new IdSetupException(
				"Property '" + property.getName() + "' of " + entity.getName() + " cannot be changed, but what it holds"
						+ " is immutable and gets ids.",
				"Make it not final, or a parameter of the constructor that Spring Data uses.");
	}

	/**
	 * Make what the constructor makes of the parameters as they are, or nothing if it
	 * refuses them: it may insist on an id.
	 */
	private Optional<Object> twin(RelationalPersistentEntity<?> entity, Object bean) {
		try {
			return Optional.of(this.instantiators.getInstantiatorFor(entity)
				.createInstance(entity, new Arguments(entity, bean, null, null)));
		}
		catch (RuntimeException ex) {
			return Optional.empty();
		}
	}

	private static void carryOver(PersistentEntity<?, ?> entity, Object from, Object to,
			RelationalPersistentProperty changed, Supplier<Optional<Object>> twin) {
		for (Class<?> type = to.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
			for (Field field : type.getDeclaredFields()) {
				if (!Modifier.isStatic(field.getModifiers()) && !field.equals(changed.getField())) {
					carryOver(entity, from, to, field, twin);
				}
			}
		}
	}

	private static void carryOver(PersistentEntity<?, ?> entity, Object from, Object to, Field field,
			Supplier<Optional<Object>> twin) {
		ReflectionUtils.makeAccessible(field);
		Object value = ReflectionUtils.getField(field, from);
		Object copy = ReflectionUtils.getField(field, to);
		if (value == copy || isDerived(field, value, copy, twin)) {
			return;
		}
		if (!Modifier.isFinal(field.getModifiers())) {
			ReflectionUtils.setField(field, to, value);
		}
		else if (!isCarriedOver(value, copy)) {
			throw new IdSetupException(
					"An entity of " + entity.getName() + " cannot be copied to give it an id: field '" + field.getName()
							+ "' is final and would be lost.",
					"Make it a parameter of the constructor that Spring Data uses, make the id not final, or add a"
							+ " method withX(…) for an id x that returns a complete copy.");
		}
	}

	/**
	 * Whether a field that comes out different has its value from the constructor in the
	 * original too.
	 */
	private static boolean isDerived(Field field, @Nullable Object value, @Nullable Object copy,
			Supplier<Optional<Object>> twin) {
		return !Objects.deepEquals(value, copy) && twin.get()
			.filter((other) -> Objects.deepEquals(value, ReflectionUtils.getField(field, other)))
			.isPresent();
	}

	/**
	 * Whether a final field of the copy has the value of the original. A collection that
	 * both begin empty, and that cannot be given, is filled.
	 */
	@SuppressWarnings("unchecked")
	private static boolean isCarriedOver(@Nullable Object value, @Nullable Object copy) {
		if (Objects.deepEquals(value, copy)) {
			return true;
		}
		try {
			if (value instanceof Collection<?> from && copy instanceof Collection<?> to && to.isEmpty()) {
				return ((Collection<Object>) to).addAll(from);
			}
			if (value instanceof Map<?, ?> from && copy instanceof Map<?, ?> to && to.isEmpty()) {
				((Map<Object, Object>) to).putAll(from);
				return true;
			}
		}
		catch (UnsupportedOperationException ex) {
			// it cannot be filled
		}
		return false;
	}

	/**
	 * The arguments of the constructor: as they are in an entity, but for one.
	 *
	 * @param entity the type of the entity
	 * @param bean the entity
	 * @param changed the property that changes, if any does
	 * @param value its new value
	 */
	private record Arguments(RelationalPersistentEntity<?> entity, Object bean,
			@Nullable RelationalPersistentProperty changed,
			@Nullable Object value) implements ParameterValueProvider<RelationalPersistentProperty> {

		@Override
		@SuppressWarnings("unchecked")
		public <T> @Nullable T getParameterValue(Parameter<T, RelationalPersistentProperty> parameter) {
			return (T) value(String.valueOf(parameter.getName()));
		}

		private @Nullable Object value(String name) {
			if (this.changed != null && name.equals(this.changed.getName())) {
				return this.value;
			}
			RelationalPersistentProperty property = this.entity.getPersistentProperty(name);
			if (property != null) {
				return this.entity.getPropertyAccessor(this.bean).getProperty(property);
			}
			// Spring Data does not count what is transient among the properties
			Field field = ReflectionUtils.findField(this.bean.getClass(), name);
			if (field == null) {
				throw new IdSetupException(
						"An entity of " + this.entity.getName() + " cannot be copied to give it an id: the parameter '"
								+ name + "' of the constructor that Spring Data uses is no property.",
						"Name it like its property and compile with -parameters, make the id not final, or add a method"
								+ " withX(…) for an id x that returns a complete copy.");
			}
			ReflectionUtils.makeAccessible(field);
			return ReflectionUtils.getField(field, this.bean);
		}

	}

}
