package dev.idspring.neighbours.mybatisplus;

import java.util.List;
import java.util.stream.Stream;

import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.annotation.GeneratedIds;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSessionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the keys that MyBatis-Plus assigns. At startup, it rejects a
 * {@code @GeneratedId} that names an unknown generator, or whose property cannot hold the
 * ids. With lazy initialization, an entity type is checked when its first entity is
 * inserted.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class,
		beforeName = "com.baomidou.mybatisplus.autoconfigure.IdentifierGeneratorAutoConfiguration")
@ConditionalOnClass(IdentifierGenerator.class)
@ConditionalOnBean(IdGenerators.class)
@ConditionalOnMissingBean(IdentifierGenerator.class)
public final class IdsMybatisPlusAutoConfiguration {

	/**
	 * Create the bean that assigns keys. The bean looks up the generators lazily. A
	 * session factory may need this bean before the scripts that create the schema have
	 * run, and the generators depend on those scripts.
	 */
	@Bean
	MybatisPlusIdGenerator idsMybatisPlusKeyGenerator(ObjectProvider<IdGenerators> generators,
			ObjectProvider<GeneratedIds.Check> checks, ConfigurableListableBeanFactory beans) {
		return new MybatisPlusIdGenerator(generators::getObject,
				(generator, property) -> checks.forEach((check) -> check.verify(generator, property)),
				() -> configurations(beans));
	}

	@Bean
	static SmartInitializingSingleton idsMybatisPlusCheck(ObjectProvider<MybatisPlusIdGenerator> keyGenerator,
			ConfigurableListableBeanFactory beans) {
		return () -> {
			if (!configurations(beans).isEmpty()
					&& namesOfSingletons(IdGenerators.class, beans).findAny().isPresent()) {
				keyGenerator.getObject().check();
			}
		};
	}

	private static List<Configuration> configurations(ConfigurableListableBeanFactory beans) {
		return namesOfSingletons(SqlSessionFactory.class, beans)
			.map((name) -> beans.getBean(name, SqlSessionFactory.class).getConfiguration())
			.toList();
	}

	/**
	 * Return the names of the existing beans of a type. With lazy initialization, the
	 * check and the search for session factories must not create any beans.
	 */
	private static Stream<String> namesOfSingletons(Class<?> type, ConfigurableListableBeanFactory beans) {
		return Stream.of(beans.getBeanNamesForType(type, true, false)).filter(beans::containsSingleton);
	}

}
